import { Injectable } from '@nestjs/common';
import type { UserEntity } from '../../directory/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import { idsIn, ownerFieldOf, RoutersRepository, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { contentsOf } from '../change/router-uses.js';
import type { KindDocs } from '../managed/managed-docs.js';
import type { Uses } from '../managed/managed-kind.js';
import { firstOf } from '../managed/refusals.js';

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
   * Returns what names users; nothing for those whom nothing names. The owner fields are that of each object
   * type and those of its routers; a record that names a user in two of them counts twice. A router that
   * lists a team does not list its members.
   */
  async find({ tx, account }: ConfigurationChange, users: readonly UserEntity[]): Promise<Uses> {
    const routers = await this.routers.listWithDrafts(tx, account);
    const owners = users.map(storedName);
    const counts = new Map<string, Partial<Record<ObjectType, number>>>();
    for (const objectType of OBJECT_TYPES) {
      for (const ownerField of ownerFields(objectType, routers)) {
        for (const [owner, count] of await this.owned.count(tx, account, {
          objectType,
          ownerField,
          owners,
        })) {
          const of = counts.get(owner) ?? {};
          if (count > 0) counts.set(owner, { ...of, [objectType]: (of[objectType] ?? 0) + count });
        }
      }
    }
    const listing = routers.map((router) => ({ router, listed: listedBy(router) }));
    return new Map(
      users.flatMap((user) => {
        const lists = listing.filter(({ listed }) => listed.has(user.id));
        const named = lists.map(({ router: { id, name } }) => ({ id, name }));
        const use = { records: counts.get(storedName(user)) ?? {}, routers: named };
        if (named.length === 0 && Object.keys(use.records).length === 0) return [];
        const said = describeUse(use);
        const error = new DomainError(
          'conflict',
          `This user ${said}: change that first, or send orphan=true`,
          { extra: { ...use } },
        );
        return [[user.id, { message: `${user.email} ${said}`, error }] as const];
      }),
    );
  }
}

/** Returns in words what names a user: `owns 1 deal, and is listed by the routers Inbound, VIP`. */
function describeUse({ records, routers }: UserUse): string {
  const owned = OBJECT_TYPES.flatMap((type) => {
    const count = records[type] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? OBJECT_TYPE_RULES[type].singular : type}`];
  });
  const names = firstOf(routers.map(({ name }) => name));
  return [
    ...(owned.length === 0 ? [] : [`owns ${owned.join(' and ')}`]),
    ...(names === '' ? [] : [`is listed by the router${routers.length === 1 ? '' : 's'} ${names}`]),
  ].join(', and ');
}

const storedName = ({ storedAs, email }: UserEntity): string => storedAs ?? email;

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

const count = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const id = { type: 'string', format: 'uuid', maxLength: 36 };
const name = { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' };

/** The refusal to archive a user whom something names, in the OpenAPI document. */
export const USER_IN_USE: NonNullable<KindDocs['inUse']> = {
  description: 'Records or routers name the user: `orphan=true` archives the user nevertheless',
  keys: {
    records: {
      type: 'object',
      properties: Object.fromEntries(OBJECT_TYPES.map((type) => [type, count])),
      additionalProperties: false,
      description: 'Numbers of active records that the user owns',
    },
    routers: {
      type: 'array',
      maxItems: 50_000,
      items: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id, name },
        additionalProperties: false,
      },
      description: 'Those that list the user in a pool, in that of a rule, or as the backup',
    },
  },
  example: {
    message:
      'This user owns 3 contacts and 1 deal, and is listed by the router Inbound: ' +
      'change that first, or send orphan=true',
    error: true,
    code: 'conflict',
    records: { contacts: 3, deals: 1 },
    routers: [{ id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f', name: 'Inbound' }],
    request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
  },
};
