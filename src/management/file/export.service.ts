import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountEntity } from '../../accounts/index.js';
import { CapacitiesRepository } from '../../capacities/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { DirectoryRepository } from '../../directory/index.js';
import { notFound } from '../../errors/errors.js';
import {
  FieldCatalog,
  FieldsRepository,
  STANDARD_FIELDS,
  type FieldDefinition,
  type FieldOption,
} from '../../fields/index.js';
import { RoutersRepository, withContent } from '../../routers/index.js';
import { capacityForm } from '../forms/capacity-form.js';
import { fieldForm } from '../forms/field-form.js';
import { routerForm } from '../forms/router-form.js';
import { teamForm } from '../forms/team-form.js';
import { userForm } from '../forms/user-form.js';
import { shownContent } from '../routers/router-drafts.js';

/** Exports an account's configuration as a file that `apply` accepts. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly fields: FieldsRepository,
    private readonly directory: DirectoryRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly routers: RoutersRepository,
  ) {}

  /**
   * Exports one account as of one moment: `{ accounts: [...] }` with the keys of the configuration file.
   * Standard fields appear only where options or labels differ from those of a new account.
   * @throws 404 for an unknown slug
   */
  export(slug: string): Promise<{ accounts: object[] }> {
    return this.database.transaction(
      async (tx) => {
        const account = await this.accounts.findBySlug(tx, slug);
        if (account === null) throw notFound(`There is no account ${slug}`);
        return { accounts: [await this.exportAccount(tx, account)] };
      },
      { isolation: 'REPEATABLE READ', readOnly: true, long: true },
    );
  }

  private async exportAccount(tx: Transaction, entity: AccountEntity): Promise<object> {
    const account = { accountId: entity.id };
    const users = await this.directory.listUsers(tx, account);
    const directory = await this.directory.load(tx, account);
    const fields = await this.fields.list(tx, account);
    const catalog = new FieldCatalog(fields);
    const capacities = await this.capacities.list(tx, account);
    const routers = await this.routers.listWithDrafts(tx, account);
    return {
      slug: entity.slug,
      name: entity.name,
      ...(entity.suspendedAt === null ? {} : { suspended: true }),
      holidays: entity.holidays,
      users: users.map(userForm),
      teams: directory.teams.map((team) => teamForm(team, directory)),
      fields: fields.flatMap(exportField),
      capacities: capacities.map((capacity) => capacityForm(capacity, { directory, catalog })),
      routers: routers.map((router) => routerForm(withContent(router, shownContent(router)), directory)),
    };
  }
}

function exportField(field: FieldDefinition): object[] {
  const start = STANDARD_FIELDS[field.objectType].find(
    ({ internalName }) => internalName === field.internalName,
  );
  // An account may have had a custom field of the name before it was a standard one.
  if (start === undefined || !field.standard) return [fieldForm(field)];
  const unchanged = new Set(start.options.map(optionKey));
  const options = field.options.filter((option) => !unchanged.has(optionKey(option)));
  const isChanged = start.label !== field.label || options.length > 0 || field.indexed === true;
  return !isChanged ? [] : [fieldForm({ ...field, options })];
}

function optionKey({ internalName, label }: FieldOption): string {
  return JSON.stringify([internalName, label]);
}
