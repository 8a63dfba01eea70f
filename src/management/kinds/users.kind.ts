import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { isId, type EntityReader } from '../../database/index.js';
import {
  DirectoryRepository,
  LIMIT_SPANS,
  UserDto,
  UserEntity,
  type SomePeople,
  type TeamEntity,
} from '../../directory/index.js';
import { UserNowReader } from '../../dispatch/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { conflict } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { closedObject, ID, integer, listOf, NAME, orNull, TIME, wordOf } from '../../http/openapi/schemas.js';
import { oneOf, several } from '../../http/query/parameters.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import { idsOf, listedIn, ownerFieldOf, type RouterEntity } from '../../routers/index.js';
import { emailKey } from '../../text/email-key.js';
import { firstOf, type ConfigurationChange } from '../change/configuration-change.js';
import { contentsOf } from '../change/configuration-uses.js';
import type { ValueChange } from '../change/value-changes.js';
import { textFilter, type KindDocs } from '../managed/managed-docs.js';
import type { Around, Removal, RowValues, Uses, Wanted } from '../managed/kind-declaration.js';
import { ManagedKind, type ManagedView } from '../managed/managed-kind.js';
import type { RowFilter } from '../managed/managed.repository.js';
import { RouterWriter } from '../routers/router-writer.js';
import { CapacitiesKind } from './capacities.kind.js';
import { TeamsKind } from './teams.kind.js';
import { mentioned } from '../../validation/mentioned.js';

/** What names a user, so that the user is not archived unless told so. */
interface UserUse {
  /** Numbers of active records that the user owns, by object type; without those of which there are none. */
  readonly records: Partial<Readonly<Record<ObjectType, number>>>;
  /** The routers that list the user: in a pool, in that of a rule, or as the backup. */
  readonly routers: readonly Readonly<Record<'id' | 'name', string>>[];
}

/** What a list of users is narrowed by. */
interface UserFilter {
  readonly team?: string;
  readonly router_id?: string;
  readonly email?: readonly string[];
  readonly eligible?: 'true' | 'false';
}

/** The e-mails of new users by which rows name somebody else, who has another e-mail now. */
type TakenNames = ReadonlySet<string>;

/** The body of a request that creates a user, for the OpenAPI document. */
const EXAMPLE = {
  email: 'mary@demo.test',
  name: 'Mary Jackson',
  timezone: 'America/New_York',
  working_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:30' }],
  limits: { day: 40 },
};

/** What holds of a user now, in the OpenAPI document. */
const COUNT = integer(0);
const NOW = {
  description: 'With `expand=now`',
  ...closedObject({
    eligible: {
      type: 'boolean',
      description:
        'Whether the user can get a record for which no capacity and no check of an extension counts',
    },
    because: {
      ...orNull({ type: 'string', maxLength: 100, pattern: '^\\w+$' }),
      description: 'Why not, as in traces: `switched_off`, `out_of_office`, `outside_working_hours` …',
    },
    until: {
      ...orNull(TIME),
      description:
        'When `eligible` changes next by the clock alone: by hours, absences and the windows of limits; null: ' +
        'not within 31 days',
    },
    limits: listOf(closedObject({ period: wordOf(LIMIT_SPANS), used: COUNT, max: COUNT }), 4),
    owned: {
      ...closedObject(Object.fromEntries(OBJECT_TYPES.map((type) => [type, COUNT]))),
      description: 'Active records by the owner field of each type',
    },
    capacities: {
      ...listOf(closedObject({ name: NAME, owned: COUNT, max: COUNT })),
      description: 'Those in which the user has a maximum',
    },
  }),
};

/** Users of an account. An archived user becomes active again. */
@Injectable()
export class UsersKind extends ManagedKind<UserEntity, UserDto, TakenNames> {
  static readonly docs: KindDocs = {
    one: 'user',
    many: 'users',
    dto: UserDto,
    read: ['directory:read', 'manage'],
    limited: { scope: 'availability', key: 'available' },
    searched: ['email', 'name'],
    filters: {
      team: textFilter('Members of a team, by its id or its name'),
      router_id: textFilter(
        'Those whom a router lists, in a pool of it or as its backup, and members of its teams',
      ),
      email: several('Those who have one of these e-mails'),
      eligible: oneOf(['true', 'false'], {
        description: 'true: those who can get a record now; false: the other active ones',
      }),
    },
    expand: {
      word: 'now',
      description: '`now`: whether they can get a record, until when, and what they have',
      schema: { now: NOW },
    },
    orphan:
      'true archives a user who owns records or whom routers list. Records keep naming the user; routers do not',
    notes: {
      create:
        'An archived user with the e-mail becomes active again, under the same id: what the body leaves out is as it was.',
      update:
        'Changes the keys that the body has. Another `email` stands at once wherever the user is named. ' +
        'With the scope `availability`, a body must have the key `available` alone.',
      archive: 'Refused while the user owns active records or a router lists them, unless `orphan` is true.',
    },
    about: {
      email: 'In lower case',
      timezone: 'An IANA zone; default UTC',
      available: 'The switch; default true. A body with this key alone needs the scope `availability` only',
      working_hours: 'Null: always',
      'working_hours.start': 'HH:MM',
      'working_hours.end': 'HH:MM; not after `start`: past midnight',
      'out_of_office.from': 'ISO 8601: an instant, or a date alone',
      'out_of_office.to': 'ISO 8601: an instant, or a date alone',
      limits: 'The most assignments in a span; null: any number',
    },
    example: EXAMPLE,
    shownExample: { ...EXAMPLE, available: true, out_of_office: [], holidays: [] },
    inUse: {
      description: 'Records or routers name the user: `orphan=true` archives the user nevertheless',
      keys: {
        records: {
          ...closedObject({}, Object.fromEntries(OBJECT_TYPES.map((type) => [type, integer(1)]))),
          description: 'Numbers of active records that the user owns',
        },
        routers: {
          ...listOf(closedObject({ id: ID, name: NAME }), 50_000),
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
    },
  };

  readonly entity = UserEntity;
  override readonly unique = 'email';
  override readonly keyColumn = 'emailKey';

  constructor(
    private readonly directory: DirectoryRepository,
    private readonly owned: OwnedRecordsRepository,
    private readonly now: UserNowReader,
    private readonly teams: TeamsKind,
    private readonly capacities: CapacitiesKind,
    private readonly writer: RouterWriter,
  ) {
    super();
  }

  async context(
    db: EntityReader,
    account: AccountContext,
    users: Around<UserEntity, UserDto>,
  ): Promise<TakenNames> {
    const emails = users.flatMap(({ dto, present }) =>
      dto === undefined || present !== undefined ? [] : [dto.email],
    );
    return emails.length === 0 ? new Set() : this.directory.findStoredNames(db, account, emails);
  }

  /** @param query `team`: id or name of one of theirs; `router_id`: of one that lists them or their team */
  override async filter(
    db: EntityReader,
    account: AccountContext,
    { team, router_id: routerId, email, eligible }: UserFilter,
  ): Promise<RowFilter> {
    const named = email === undefined ? {} : { keys: email.map(emailKey) };
    if (team === undefined && routerId === undefined && eligible === undefined) return named;
    const lists: ReadonlySet<string>[] = [];
    const activeTeams = async (some: SomePeople): Promise<TeamEntity[]> => {
      const teams = await this.directory.findTeams(db, account, some);
      return teams.filter(({ archivedAt }) => archivedAt === null);
    };
    if (team !== undefined) {
      const found = await activeTeams({ teamIds: [team].filter(isId), teamNames: [team] });
      const one = found.find(({ id }) => id === team.toLowerCase()) ?? found[0];
      lists.push(new Set(one?.memberIds));
    }
    if (routerId !== undefined) {
      const router = isId(routerId) ? await this.writer.routers.findWithDraft(db, account, routerId) : null;
      if (router === null) return { ids: [] };
      const teams = await activeTeams({ teamIds: idsOf([router]).teamIds });
      lists.push(new Set([...listedBy(router), ...teams.flatMap(({ memberIds }) => memberIds)]));
    }
    if (eligible !== undefined) lists.push(await this.now.withState(account, eligible === 'true'));
    const [first = new Set<string>(), ...others] = lists;
    return { ...named, ids: [...first].filter((id) => others.every((other) => other.has(id))) };
  }

  override async expand(account: AccountContext, views: readonly ManagedView[]): Promise<void> {
    const now = await this.now.read(account, views as unknown as Parameters<UserNowReader['read']>[1]);
    for (const view of views) Object.assign(view, { now: now.get(view.id) });
  }

  /** Values that are not given are undefined. */
  form(user: Partial<UserEntity>): object {
    return {
      email: user.email,
      name: user.name,
      timezone: user.timezone,
      available: user.available,
      // The columns do not keep the order of keys.
      working_hours:
        user.workingHours?.map(({ days, start, end }) => ({ days, start, end })) ?? user.workingHours,
      out_of_office: user.outOfOffice?.map(({ from, to }) => ({ from, to })),
      holidays: user.holidays,
      limits: user.limits,
    };
  }

  wanted({ dto, present, id }: Wanted<UserEntity, UserDto>, taken: TakenNames): RowValues<UserEntity> {
    const { email, name, timezone, available, holidays, limits } = dto;
    const values = mentioned({
      ...{ name, timezone, available, holidays, limits },
      workingHours: dto.working_hours,
      outOfOffice: dto.out_of_office,
    });
    const storedAs = present === undefined ? (taken.has(email) ? id : null) : storedName(present, email);
    const before = present ?? { name: null, workingHours: null, limits: null };
    return Object.assign({}, before, { email, ...values, storedAs }) as RowValues<UserEntity>;
  }

  override requireFree(owner: UserEntity): void {
    super.requireFree(owner);
    throw conflict('An archived user has this email: records may name them by it', 'email');
  }

  /**
   * Returns what names users; nothing for those whom nothing names. The owner fields are that of each object
   * type and those of its routers; a record that names a user in two of them counts twice. A router that
   * lists a team does not list its members.
   */
  override async uses(
    { tx, account }: ConfigurationChange,
    users: readonly UserEntity[],
    { orphan = false }: Removal,
  ): Promise<Uses> {
    if (orphan) return new Map();
    const routers = await this.writer.routers.listWithDrafts(tx, account);
    const owners = users.map(presentName);
    const records = new Map<string, Partial<Record<ObjectType, number>>>(owners.map((owner) => [owner, {}]));
    for (const objectType of OBJECT_TYPES) {
      for (const ownerField of ownerFields(objectType, routers)) {
        const found = await this.owned.count(tx, account, { objectType, ownerField, owners });
        for (const [owner, count] of found) {
          const of = records.get(owner);
          if (of !== undefined && count > 0) of[objectType] = (of[objectType] ?? 0) + count;
        }
      }
    }
    const listing = routers.map((router) => ({ router, listed: listedBy(router) }));
    return new Map(
      users.flatMap((user) => {
        const lists = listing.filter(({ listed }) => listed.has(user.id));
        const named = lists.map(({ router: { id, name } }) => ({ id, name }));
        const use = { records: records.get(presentName(user)) ?? {}, routers: named };
        const said = describeUse(use);
        if (said === '') return [];
        const message = `This user ${said}: change that first, or send orphan=true`;
        const error = new DomainError('conflict', message, { extra: { ...use } });
        return [[user.id, { message: `${user.email} ${said}`, error }] as const];
      }),
    );
  }

  /**
   * Takes users out of teams, capacities and routers. So these name active users only, can be published and
   * applied again, and do not list anybody who becomes active again later.
   */
  override async leave(
    change: ConfigurationChange,
    users: readonly UserEntity[],
    { orphan = false }: Removal,
  ): Promise<ValueChange[]> {
    const gone = new Map(users.map(({ id, email }) => [id, email]));
    await this.teams.rewrite(change, ({ memberIds }) => ({
      memberIds: memberIds.filter((id) => !gone.has(id)),
    }));
    await this.capacities.rewrite(change, ({ users: listed }) => ({
      users: listed.filter(({ userId }) => !gone.has(userId)),
    }));
    const routers = await this.writer.open(change);
    for (const router of routers.context.routers) await routers.leave(router, gone);
    return orphan ? [{ path: 'orphan', from: null, to: true }] : [];
  }
}

/** The name by which rows go on naming a user who gets an e-mail (ADR 24); null for the e-mail itself. */
function storedName(present: UserEntity, email: string): string | null {
  const name = presentName(present);
  return name === email ? null : name;
}

/** The name by which rows name a user. */
const presentName = ({ storedAs, email }: UserEntity): string => storedAs ?? email;

/** Says what names a user: `owns 1 deal, and is listed by the routers Inbound, VIP`; nothing for nothing. */
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

/** The owner field of a type, and those that its routers have of their own. */
function ownerFields(objectType: ObjectType, routers: readonly RouterEntity[]): ReadonlySet<string> {
  const own = routers
    .filter((router) => router.objectType === objectType)
    .flatMap(contentsOf)
    .map(({ settings }) => ownerFieldOf(objectType, settings));
  return new Set([OBJECT_TYPE_RULES[objectType].ownerField, ...own]);
}

/** The ids of the users whom a router lists, live or in its draft: in any pool of it, or as the backup. */
function listedBy(router: RouterEntity): ReadonlySet<string> {
  return new Set(contentsOf(router).flatMap((content) => [...listedIn(content).userIds]));
}
