import { Injectable } from '@nestjs/common';
import type { UserEntity } from '../../directory/index.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import { idsIn, ownerFieldOf, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { contentsOf } from '../change/uses-by-contents.js';

/** What names a user, so that the user is not archived unless told so. */
export interface UserUse {
  /** Numbers of active records that the user owns, by object type; without those of which there are none. */
  readonly records: Partial<Readonly<Record<ObjectType, number>>>;
  /** The routers that list the user: in a pool, in that of a rule, or as the backup. */
  readonly routers: readonly Readonly<Record<'id' | 'name', string>>[];
}

/** Finds what names users: records by their owners, and routers. */
@Injectable()
export class UserUses {
  constructor(private readonly owned: OwnedRecordsRepository) {}

  /**
   * Returns what names users, by the id of the user; nothing for those whom nothing names. The owner fields
   * are that of each object type and those of its routers; a record that names a user in two of them counts
   * twice. A router that lists a team does not list its members.
   * @param routers every active one, with its draft
   */
  async find(
    { tx, account }: ConfigurationChange,
    users: readonly UserEntity[],
    routers: readonly RouterEntity[],
  ): Promise<ReadonlyMap<string, UserUse>> {
    const owners = users.map(storedName);
    const counts = new Map<string, Partial<Record<ObjectType, number>>>();
    for (const objectType of OBJECT_TYPES) {
      for (const ownerField of ownerFields(objectType, routers)) {
        const found = await this.owned.count(tx, account, { objectType, ownerField, owners });
        for (const [owner, count] of found) {
          const of = counts.get(owner) ?? {};
          if (count > 0) counts.set(owner, { ...of, [objectType]: (of[objectType] ?? 0) + count });
        }
      }
    }
    const listing = routers.map((router) => ({
      router: { id: router.id, name: router.name },
      listed: listedBy(router),
    }));
    const uses = users.map((user): [string, UserUse] => {
      const lists = listing.filter(({ listed }) => listed.has(user.id));
      return [
        user.id,
        { records: counts.get(storedName(user)) ?? {}, routers: lists.map(({ router }) => router) },
      ];
    });
    return new Map(
      uses.filter(([, { records, routers: some }]) => some.length > 0 || Object.keys(records).length > 0),
    );
  }
}

function storedName({ storedAs, email }: UserEntity): string {
  return storedAs ?? email;
}

/** The owner field of a type, and those that its routers have of their own. */
function ownerFields(objectType: ObjectType, routers: readonly RouterEntity[]): ReadonlySet<string> {
  const own = routers
    .filter((router) => router.objectType === objectType)
    .flatMap(contentsOf)
    .map(({ settings }) => ownerFieldOf(objectType, settings));
  return new Set([OBJECT_TYPE_RULES[objectType].ownerField, ...own]);
}

/** The ids of the users whom a router lists, live or in its draft. */
function listedBy(router: RouterEntity): ReadonlySet<string> {
  return new Set(
    contentsOf(router).flatMap(({ users, settings }) => [
      ...users.map(({ userId }) => userId),
      ...idsIn(settings).users,
    ]),
  );
}
