import { nameKey } from '../text/canonical-text.js';
import { emailKey, normalizeEmail } from '../text/email-key.js';
import { StoredNames } from './stored-names.js';
import type { Team, User } from './user.js';

/** A user or a team, archived or not. */
type Known<T> = T & { readonly archivedAt?: Date | null };

const isActive = ({ archivedAt }: Known<object>): boolean => (archivedAt ?? null) === null;

/** What has changed since a directory was read. */
export interface DirectoryChanges {
  /** Each user that was added, changed or archived. */
  readonly users: readonly Known<User>[];
  /** All teams, if any has changed. */
  readonly teams: readonly Known<Team>[] | undefined;
  /** Local dates that are holidays of every user. */
  readonly holidays: readonly string[];
}

/**
 * The active users and the teams of one account in one version of its configuration, and the last names of
 * archived ones. Immutable, so it can be shared and cached.
 */
export class Directory {
  /** The active users, with their own holidays only. */
  readonly own: readonly User[];
  readonly teams: readonly Team[];
  /** How rows name the users, archived ones included. */
  readonly names: StoredNames;
  /** The same object in two directories that have the same teams, and users of the same ids and e-mails. */
  readonly people: object;
  /** The active users by e-mail address. */
  readonly users: ReadonlyMap<string, User>;
  private readonly holidays: readonly string[];
  private readonly usersById: ReadonlyMap<string, User>;
  private readonly usersByKey: ReadonlyMap<string, User>;
  private readonly teamsById: ReadonlyMap<string, Team>;
  private readonly teamsByName: ReadonlyMap<string, Team>;
  private readonly archivedNames: ReadonlyMap<string, string>;
  private archivedIds: ReadonlyMap<string, string> | undefined;

  /** @param parts `holidays`: local dates that are holidays of every user, in addition to the user's own */
  constructor(
    private readonly knownUsers: readonly Known<User>[],
    private readonly knownTeams: readonly Known<Team>[],
    { holidays = [], people = {} }: { readonly holidays?: readonly string[]; readonly people?: object } = {},
  ) {
    this.own = knownUsers.filter(isActive);
    this.teams = knownTeams.filter(isActive);
    this.names = StoredNames.of(knownUsers);
    this.people = people;
    this.holidays = holidays;
    const users =
      holidays.length === 0
        ? this.own
        : this.own.map((user) => ({ ...user, holidays: [...holidays, ...user.holidays] }));
    this.usersById = new Map(users.map((user) => [user.id, user]));
    this.users = new Map(users.map((user) => [user.email, user]));
    this.usersByKey = new Map(users.map((user) => [emailKey(user.email), user]));
    this.teamsById = new Map(this.teams.map((team) => [team.id, team]));
    this.teamsByName = new Map(this.teams.map((team) => [nameKey(team.name), team]));
    this.archivedNames = new Map([
      ...this.archivedUsers().map(({ id, email }) => [id, email] as const),
      ...knownTeams.filter((team) => !isActive(team)).map(({ id, name }) => [id, name] as const),
    ]);
  }

  /** Returns the directory after changes; itself when there are none. */
  with({ users, teams, holidays }: DirectoryChanges): Directory {
    const isSame = users.length === 0 && teams === undefined;
    if (isSame && holidays.join() === this.holidays.join()) return this;
    const known = new Map(this.knownUsers.map((user) => [user.id, user]));
    for (const user of users) known.set(user.id, user);
    const emailOf = (user: Known<User>): string | undefined => (isActive(user) ? user.email : undefined);
    const isSamePeople =
      teams === undefined && users.every((user) => this.user(user.id)?.email === emailOf(user));
    const people = isSamePeople ? this.people : {};
    return new Directory([...known.values()], teams ?? this.knownTeams, { holidays, people });
  }

  /** The user with that UUID or e-mail address, in any case and form. */
  findUser(idOrEmail: string): User | undefined {
    return this.withEmail(idOrEmail) ?? this.user(normalizeEmail(idOrEmail));
  }

  /** The user with that e-mail address, in any case and form. */
  withEmail(email: string): User | undefined {
    return this.usersByKey.get(emailKey(email));
  }

  /** The active team of that name, as names are compared. */
  findTeam(name: string): Team | undefined {
    return this.teamsByName.get(nameKey(name));
  }

  /** The e-mail of a user or the name of a team. Those who are archived have their last one. */
  nameOf(id: string): string | undefined {
    return this.user(id)?.email ?? this.team(id)?.name ?? this.archivedNames.get(id);
  }

  /** The id of the user, archived or not, whom rows of records name by a text. */
  idOfStored(name: string): string | undefined {
    const email = this.names.emailOf(name);
    if (this.names.nameOf(email) !== name) return undefined;
    this.archivedIds ??= new Map(this.archivedUsers().map((user) => [user.email, user.id]));
    return this.users.get(email)?.id ?? this.archivedIds.get(email);
  }

  user(id: string): User | undefined {
    return this.usersById.get(id);
  }

  team(id: string): Team | undefined {
    return this.teamsById.get(id);
  }

  private archivedUsers(): readonly User[] {
    return this.knownUsers.filter((user) => !isActive(user));
  }
}
