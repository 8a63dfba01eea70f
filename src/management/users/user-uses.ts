import { Injectable } from '@nestjs/common';
import type { UserEntity } from '../../directory/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import { idsIn, ownerFieldOf, RoutersRepository, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { contentsOf } from '../change/router-uses.js';
import { firstOf, type InUse } from '../managed/in-use.js';

/** What names a user, so that the user is not archived unless told so. */
interface UserUse {
  /** Numbers of active records that the user owns, by object type; without those of which there are none. */
  readonly records: Partial<Readonly<Record<ObjectType, number>>>;
  /** The routers that list the user: in a pool, in that of a rule, or as the backup. */
  readonly routers: readonly Readonly<Record<'id' | 'name', string>>[];
}

/** Finds what names users: records by their owners, and routers. */
@Injectable()
export class UserUses {
  constructor(
    private readonly owned: OwnedRecordsRepository,
    private readonly routers: RoutersRepository,
  ) {}

  /**
   * Returns what names users, by the id of the user; nothing for those whom nothing names. The owner fields
   * are that of each object type and those of its routers; a record that names a user in two of them counts
   * twice. A router that lists a team does not list its members.
   */
  async find(
    { tx, account }: ConfigurationChange,
    users: readonly UserEntity[],
  ): Promise<ReadonlyMap<string, InUse>> {
    const routers = await this.routers.listWithDrafts(tx, account);
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
    return new Map(
      users.flatMap((user) => {
        const lists = listing.filter(({ listed }) => listed.has(user.id));
        const records = counts.get(storedName(user)) ?? {};
        const use = { records, routers: lists.map(({ router }) => router) };
        const isNamed = lists.length > 0 || Object.keys(records).length > 0;
        return isNamed ? [[user.id, inUse(user, use)] as const] : [];
      }),
    );
  }
}

/** 409: the user is not archived, because of what names them (contract section 6). */
function inUse({ email }: UserEntity, use: UserUse): InUse {
  const said = describeUse(use);
  const message = `This user ${said}: change that first, or send orphan=true`;
  const error = new DomainError('conflict', message, { extra: { ...use } });
  return { message: `${email} ${said}`, error };
}

/** Returns in words what names a user: `owns 1 deal, and is listed by the routers Inbound, VIP`. */
function describeUse({ records, routers }: UserUse): string {
  const owned = OBJECT_TYPES.flatMap((type) => {
    const count = records[type] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? OBJECT_TYPE_RULES[type].singular : type}`];
  });
  const owns = owned.length === 0 ? [] : [`owns ${owned.join(' and ')}`];
  const names = routers.map(({ name }) => name);
  const listed = names.length === 1 ? 'the router' : 'the routers';
  return [...owns, ...(names.length === 0 ? [] : [`is listed by ${listed} ${firstOf(names)}`])].join(
    ', and ',
  );
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

/** The ids of the users whom a router lists, live or in its draft: in any pool of it, or as the backup. */
export function listedBy(router: RouterEntity): ReadonlySet<string> {
  return new Set(
    contentsOf(router).flatMap(({ users, settings }) => [
      ...users.map(({ userId }) => userId),
      ...idsIn(settings).users,
    ]),
  );
}
