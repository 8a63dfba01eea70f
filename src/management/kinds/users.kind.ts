import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { isId, newId, type EntityReader } from '../../database/index.js';
import {
  DirectoryRepository,
  UserDto,
  UserEntity,
  type SomePeople,
  type TeamEntity,
} from '../../directory/index.js';
import { conflict } from '../../errors/errors.js';
import { idsOf, RoutersRepository } from '../../routers/index.js';
import { emailKey } from '../../text/email-key.js';
import { mentioned, type ConfigurationChange } from '../change/configuration-change.js';
import type { ValueChange } from '../change/value-changes.js';
import type { KindDocs } from '../managed/managed-docs.js';
import { ManagedKind, type Around, type Removal, type Uses, type Wanted } from '../managed/managed-kind.js';
import type { RowFilter, WrittenRow } from '../managed/managed.repository.js';
import { UserRemoval } from './user-removal.js';
import { listedBy, USER_IN_USE, UserUses } from './user-uses.js';

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

/** Users of an account. An archived user becomes active again. */
@Injectable()
export class UsersKind extends ManagedKind<UserEntity, UserDto, TakenNames> {
  static readonly docs: KindDocs = {
    one: 'user',
    many: 'users',
    dto: UserDto,
    read: ['directory:read', 'manage'],
    limited: { scope: 'availability', key: 'available' },
    searches: true,
    filters: {
      team: { description: 'Members of a team, by its id or its name' },
      router_id: {
        description: 'Those whom a router lists, in a pool of it or as its backup, and members of its teams',
      },
    },
    removal: {
      orphan:
        'true archives a user who owns records or whom routers list. Records keep naming the user; routers do not',
    },
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
    inUse: USER_IN_USE,
  };

  readonly kind = 'user';
  readonly entity = UserEntity;
  override readonly unique = 'email';
  override readonly keyColumn = 'emailKey';
  override readonly order = ['email'];
  override readonly searched = ['email', 'name'];

  constructor(
    private readonly directory: DirectoryRepository,
    private readonly routers: RoutersRepository,
    private readonly userUses: UserUses,
    private readonly removal: UserRemoval,
  ) {
    super();
  }

  override nameOf({ email = '' }: WrittenRow<UserEntity> | Partial<UserDto>): string {
    return email;
  }

  override keyOf(user: WrittenRow<UserEntity> | UserDto): string {
    return emailKey(this.nameOf(user));
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
    { team, router_id: routerId }: { readonly team?: string; readonly router_id?: string },
  ): Promise<RowFilter> {
    if (team === undefined && routerId === undefined) return {};
    const lists: ReadonlySet<string>[] = [];
    const activeTeams = async (named: SomePeople): Promise<TeamEntity[]> => {
      const teams = await this.directory.findTeams(db, account, named);
      return teams.filter(({ archivedAt }) => archivedAt === null);
    };
    if (team !== undefined) {
      const found = await activeTeams({ teamIds: [team].filter(isId), teamNames: [team] });
      const one = found.find(({ id }) => id === team.toLowerCase()) ?? found[0];
      lists.push(new Set(one?.memberIds));
    }
    if (routerId !== undefined) {
      const router = isId(routerId) ? await this.routers.find(db, account, routerId) : null;
      if (router === null) return { ids: [] };
      const teams = await activeTeams({ teamIds: idsOf([router]).teamIds });
      lists.push(new Set([...listedBy(router), ...teams.flatMap(({ memberIds }) => memberIds)]));
    }
    const [first = new Set(), second = first] = lists;
    return { ids: [...first].filter((id) => second.has(id)) };
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

  override completed(dto: Partial<UserDto>, { email }: UserEntity): UserDto {
    return { ...dto, email: dto.email ?? email };
  }

  wanted(
    { dto, present }: Wanted<UserEntity, UserDto>,
    taken: TakenNames,
    { account: { accountId } }: ConfigurationChange,
  ): WrittenRow<UserEntity> {
    const { email, name, timezone, available, holidays, limits } = dto;
    const values = mentioned({
      ...{ name, timezone, available, holidays, limits },
      workingHours: dto.working_hours,
      outOfOffice: dto.out_of_office,
    });
    const id = present?.id ?? newId();
    const storedAs = present === undefined ? (taken.has(email) ? id : null) : storedName(present, email);
    const before = present ?? { name: null, workingHours: null, limits: null };
    const wanted = { accountId, id, email, ...values, storedAs, archivedAt: null };
    return Object.assign({}, before, wanted) as WrittenRow<UserEntity>;
  }

  override requireFree(owner: UserEntity): void {
    super.requireFree(owner);
    throw conflict('An archived user has this email: records may name them by it', 'email');
  }

  override uses(
    change: ConfigurationChange,
    users: readonly UserEntity[],
    { orphan = false }: Removal,
  ): Promise<Uses> {
    return orphan ? Promise.resolve(new Map()) : this.userUses.find(change, users);
  }

  override async leave(
    change: ConfigurationChange,
    users: readonly UserEntity[],
    { orphan = false }: Removal,
  ): Promise<ValueChange[]> {
    await this.removal.remove(change, users);
    return orphan ? [{ path: 'orphan', from: null, to: true }] : [];
  }
}

/** The name by which rows go on naming a user who gets an e-mail (ADR 24); null for the e-mail itself. */
function storedName(present: UserEntity, email: string): string | null {
  const name = present.storedAs ?? present.email;
  return name === email ? null : name;
}
