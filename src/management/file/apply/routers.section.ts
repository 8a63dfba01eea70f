import { Injectable } from '@nestjs/common';
import { newId } from '../../../database/index.js';
import { DirectoryRepository, type Directory } from '../../../directory/index.js';
import { FieldCatalog, FieldsRepository, type ObjectType } from '../../../fields/index.js';
import {
  configurableSettings,
  RoutersRepository,
  RouterValidator,
  type RouterDto,
  type RouterEntity,
  type RouterTeam,
  type RouterUser,
  type RouterValues,
} from '../../../routers/index.js';
import { mentioned, type ConfigurationChange } from '../../change/configuration-change.js';
import { routerForm } from '../../forms/router-form.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies `routers`, after the users, teams and fields they refer to. Settings are merged key by key. */
@Injectable()
export class RoutersSection implements ApplySection {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
    private readonly validator: RouterValidator,
  ) {}

  async apply(change: ConfigurationChange, { routers: dtos = [] }: AccountDto): Promise<void> {
    const { tx, account } = change;
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    const known = new Map(
      (await this.routers.listActive(tx, account)).map((router) => [router.name, router]),
    );
    const created: NewRouter[] = [];
    for (const [index, dto] of dtos.entries()) {
      const path = `routers[${index}]`;
      const present = known.get(dto.name);
      const named = { change, path, dto, present };
      const objectType = objectTypeOf(named);
      const values = routerValues(named, directory);
      if (objectType === undefined || values === undefined) continue;
      const whole = { objectType, users: present?.users ?? [], teams: present?.teams ?? [], ...values };
      const draft = { ...whole, before: present?.settings };
      const checked = this.validator.validate(draft, catalog, directory);
      if (!checked.ok) {
        for (const { field, message } of checked.errors) change.refuse(`${path}.${field}`, message);
        continue;
      }
      const id = present?.id ?? newId();
      const wanted = { ...whole, id, name: dto.name, settings: checked.settings };
      const forms = {
        before: present === undefined ? null : routerForm(present, directory),
        after: routerForm({ published: present?.published ?? false, ...wanted }, directory),
      };
      if (!change.note({ kind: 'router', id, name: dto.name }, forms)) continue;
      if (present === undefined) created.push(wanted);
      else await this.routers.update(tx, account, wanted);
    }
    await this.routers.insert(tx, account, created);
  }
}

/** The values of a router with its name. */
type NewRouter = RouterValues & Pick<RouterEntity, 'id' | 'name' | 'objectType'>;

/** A router in the file, and the stored router; undefined for a new one. */
interface NamedRouter {
  readonly change: ConfigurationChange;
  /** Path of the router in the account, such as `routers[0]`. */
  readonly path: string;
  readonly dto: RouterDto;
  readonly present: RouterEntity | undefined;
}

function objectTypeOf({ change, path, dto, present }: NamedRouter): ObjectType | undefined {
  const objectType = dto.object_type ?? present?.objectType;
  if (objectType === undefined)
    change.refuse(`${path}.object_type`, 'object_type is required for a new router');
  if (present === undefined || objectType === present.objectType) return objectType;
  change.refuse(
    `${path}.object_type`,
    `the object type of this router is ${present.objectType} and cannot change`,
  );
  return undefined;
}

/** Returns the router's values in the file, with names resolved to ids; undefined when a name is unknown. */
function routerValues(
  { change, path, dto, present }: NamedRouter,
  directory: Directory,
): (RouterValues & { settings: Record<string, unknown> | null }) | undefined {
  const before = change.errors.length;
  const users = dto.users?.map(({ email, ...share }, index): RouterUser => {
    const userId = directory.users.get(email)?.id;
    if (userId === undefined)
      change.refuse(`${path}.users[${index}].email`, `${email} is not a user of the account`);
    return { userId: userId ?? '', ...mentioned(share) };
  });
  const teams = dto.teams?.map(({ name, ...share }, index): RouterTeam => {
    const teamId = directory.findTeam(name)?.id;
    if (teamId === undefined)
      change.refuse(`${path}.teams[${index}].name`, `${name} is not a team of the account`);
    return { teamId: teamId ?? '', ...mentioned(share) };
  });
  // One without settings assigns nobody anyway.
  if (users?.length === 0 && teams?.length === 0 && dto.settings !== null) {
    change.refuse(`${path}.users`, 'users and teams list nobody: leave them out for a router without a pool');
  }
  if (change.errors.length > before) return undefined;
  const merged = { ...configurableSettings(present?.settings ?? null), ...dto.settings };
  const untouched = dto.settings === undefined && (present?.settings ?? null) === null;
  const settings = dto.settings === null || untouched ? null : merged;
  return { ...mentioned({ published: dto.published, users, teams }), settings };
}
