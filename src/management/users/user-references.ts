import { Injectable } from '@nestjs/common';
import type { UserEntity } from '../../directory/index.js';
import { renameInSettings, settingsList } from '../../engine/index.js';
import { FieldsRepository, OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { RouterSettings } from '../change/router-settings.js';

/** What names a user, so that the user is not archived unless told so. */
export interface UserUse {
  /** Numbers of active records that the user owns, by object type; without those of which there are none. */
  readonly records: Partial<Readonly<Record<ObjectType, number>>>;
  /** The routers that list the user: in a pool, in that of a rule, or as the backup. */
  readonly routers: readonly Readonly<Record<'id' | 'name', string>>[];
}

/** Finds and changes what names a user beside the user's own row. */
@Injectable()
export class UserReferences {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly settings: RouterSettings,
    private readonly fields: FieldsRepository,
    private readonly owned: OwnedRecordsRepository,
  ) {}

  /** Returns what names a user. A router that lists a team does not list its members. */
  async of({ tx, account }: ConfigurationChange, user: UserEntity): Promise<UserUse> {
    const owners = [user.storedAs ?? user.email];
    const records: Partial<Record<ObjectType, number>> = {};
    for (const objectType of OBJECT_TYPES) {
      const { ownerField } = OBJECT_TYPE_RULES[objectType];
      const counts = await this.owned.count(tx, account, { objectType, ownerField, owners });
      for (const count of counts.values()) if (count > 0) records[objectType] = count;
    }
    const routers = await this.routers.listWithDrafts(tx, account);
    const listing = routers.filter((router) => listsUser(router, user));
    return { records, routers: listing.map(({ id, name }) => ({ id, name })) };
  }

  /** Writes another e-mail of a user into the settings of routers. */
  async rename(change: ConfigurationChange, emails: Readonly<Record<'from' | 'to', string>>): Promise<void> {
    const catalog = await this.fields.catalog(change.tx, change.account, undefined);
    const renamed = new Map([[emails.from, emails.to]]);
    await this.settings.rewrite(change, emails.from, (settings, objectType) => {
      const isUserField = (field: string): boolean => catalog.get(objectType, field)?.type === 'user';
      return renameInSettings(settings, { emails: renamed, isUserField });
    });
  }
}

/** Whether what is live lists a user, or a draft. */
function listsUser({ users, settings, draft }: RouterEntity, { id, email }: UserEntity): boolean {
  return [{ users, settings }, ...(draft ? [draft] : [])].some(
    (content) => content.users.some(({ userId }) => userId === id) || settingsList(content.settings, email),
  );
}

/** Whether anything names the user. */
export function isUsed({ records, routers }: UserUse): boolean {
  return routers.length > 0 || Object.keys(records).length > 0;
}
