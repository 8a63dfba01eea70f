import { nameKey } from '../text/canonical-text.js';
import { emailKey, normalizeEmail } from '../text/email-key.js';
import { StoredNames } from './stored-names.js';
import type { Team, User } from './user.js';

/** What has changed since a directory was read. */
export interface DirectoryChanges {
  /** Each user that was added, changed or archived. */
  readonly users: readonly (User & { readonly archivedAt: Date | null })[];
  /** All teams, archived ones included, if any has changed. */
  readonly teams: readonly (Team & { readonly archivedAt: Date | null })[] | undefined;
  /** Local dates that are holidays of every user. */
  readonly holidays: readonly string[];
}

/** What a directory has beside active users and teams. */
interface DirectoryParts {
  readonly holidays?: readonly string[];
  readonly people?: object;
  readonly names?: StoredNames;
  /** The last e-mails of archived users, by id. */
  readonly archivedUsers?: ReadonlyMap<string, string>;
  /** The last names of archived teams, by id. */
  readonly archivedTeams?: ReadonlyMap<string, string>;
}

/**
 * The active users and the teams of one account in one version of its configuration. Immutable, so it can be
 * shared and cached.
 */
export class Directory {
  private readonly usersById: ReadonlyMap<string, User>;
  private readonly usersByEmail: ReadonlyMap<string, User>;
  private readonly usersByKey: ReadonlyMap<string, User>;
  private readonly teamsById: ReadonlyMap<string, Team>;
  private readonly teamsByName: ReadonlyMap<string, Team>;

  /** Local dates that are holidays of every user, in addition to the user's own. */
  private readonly holidays: readonly string[];
  /** The same object in two directories that have the same teams, and users of the same ids and e-mails. */
  readonly people: object;
  /** How rows name the users, archived ones included. */
  readonly names: StoredNames;
  private readonly archivedUsers: ReadonlyMap<string, string>;
  private readonly archivedTeams: ReadonlyMap<string, string>;
  private archivedIds: ReadonlyMap<string, string> | undefined;

  /** @param own with their own holidays only */
  constructor(
    readonly own: readonly User[],
    readonly teams: readonly Team[],
    {
      holidays = [],
      people = {},
      names = StoredNames.of(own),
      archivedUsers = new Map(),
      archivedTeams = new Map(),
    }: DirectoryParts = {},
  ) {
    this.archivedUsers = archivedUsers;
    this.archivedTeams = archivedTeams;
    this.holidays = holidays;
    this.people = people;
    this.names = names;
    const users = holidays.length === 0 ? own : own.map((user) => withHolidays(user, holidays));
    this.usersById = new Map(users.map((user) => [user.id, user]));
    this.usersByEmail = new Map(users.map((user) => [user.email, user]));
    this.usersByKey = new Map(users.map((user) => [emailKey(user.email), user]));
    this.teamsById = new Map(teams.map((team) => [team.id, team]));
    this.teamsByName = new Map(teams.map((team) => [nameKey(team.name), team]));
  }

  /** Returns the directory after changes; itself when there are none. */
  with({ users, teams, holidays }: DirectoryChanges): Directory {
    const isSame = users.length === 0 && teams === undefined;
    if (isSame && holidays.join() === this.holidays.join()) return this;
    const own = new Map(this.own.map((user) => [user.id, user]));
    const archivedUsers = new Map(this.archivedUsers);
    const archivedTeams = new Map(this.archivedTeams);
    let samePeople = teams === undefined;
    for (const user of users) {
      const isGone = user.archivedAt !== null;
      samePeople &&= own.get(user.id)?.email === (isGone ? undefined : user.email);
      if (isGone) own.delete(user.id);
      else own.set(user.id, user);
      if (isGone) archivedUsers.set(user.id, user.email);
      else archivedUsers.delete(user.id);
    }
    for (const { id, name, archivedAt } of teams ?? []) {
      if (archivedAt === null) archivedTeams.delete(id);
      else archivedTeams.set(id, name);
    }
    const active = teams?.filter(({ archivedAt }) => archivedAt === null) ?? this.teams;
    const people = samePeople ? { people: this.people } : {};
    const names = this.names.with(users);
    const parts = { holidays, names, archivedUsers, archivedTeams, ...people };
    return new Directory([...own.values()], active, parts);
  }

  /** The user with that UUID or e-mail address, in any case and form. */
  findUser(idOrEmail: string): User | undefined {
    return this.withEmail(idOrEmail) ?? this.usersById.get(normalizeEmail(idOrEmail));
  }

  /** The user with that e-mail address, in any case and form. */
  withEmail(email: string): User | undefined {
    return this.usersByKey.get(emailKey(email));
  }

  /** The users by e-mail address. */
  get users(): ReadonlyMap<string, User> {
    return this.usersByEmail;
  }

  /** The active team of that name, as names are compared. */
  findTeam(name: string): Team | undefined {
    return this.teamsByName.get(nameKey(name));
  }

  /** The e-mail of a user or the name of a team. Those who are archived have their last one. */
  nameOf(id: string): string | undefined {
    const active = this.usersById.get(id)?.email ?? this.teamsById.get(id)?.name;
    return active ?? this.archivedUsers.get(id) ?? this.archivedTeams.get(id);
  }

  /** The id of the user, archived or not, whom rows of records name by a text. */
  idOfStored(name: string): string | undefined {
    const email = this.names.emailOf(name);
    if (this.names.nameOf(email) !== name) return undefined;
    const active = this.usersByEmail.get(email);
    if (active !== undefined) return active.id;
    this.archivedIds ??= new Map([...this.archivedUsers].map(([id, archived]) => [archived, id]));
    return this.archivedIds.get(email);
  }

  user(id: string): User | undefined {
    return this.usersById.get(id);
  }

  team(id: string): Team | undefined {
    return this.teamsById.get(id);
  }
}

function withHolidays(user: User, holidays: readonly string[]): User {
  return { ...user, holidays: [...holidays, ...user.holidays] };
}
