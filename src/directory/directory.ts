import { normalizeEmail } from '../text/email-key.js';
import type { Team } from './team.js';
import type { User } from './user.js';

/**
 * The active users and the teams of one account in one version of its configuration. Immutable, so it can be
 * shared and cached.
 */
export class Directory {
  private readonly usersById: ReadonlyMap<string, User>;
  private readonly usersByEmail: ReadonlyMap<string, User>;
  private readonly teamsById: ReadonlyMap<string, Team>;
  private readonly teamsByName: ReadonlyMap<string, Team>;

  constructor(users: readonly User[], teams: readonly Team[]) {
    this.usersById = new Map(users.map((user) => [user.id, user]));
    this.usersByEmail = new Map(users.map((user) => [user.email, user]));
    this.teamsById = new Map(teams.map((team) => [team.id, team]));
    this.teamsByName = new Map(teams.map((team) => [team.name, team]));
  }

  /** The user with that UUID or e-mail address, in any case. */
  findUser(idOrEmail: string): User | undefined {
    const key = normalizeEmail(idOrEmail);
    return this.usersByEmail.get(key) ?? this.usersById.get(key);
  }

  /** The users by e-mail address. */
  get users(): ReadonlyMap<string, User> {
    return this.usersByEmail;
  }

  findTeam(name: string): Team | undefined {
    return this.teamsByName.get(name);
  }

  user(id: string): User | undefined {
    return this.usersById.get(id);
  }

  team(id: string): Team | undefined {
    return this.teamsById.get(id);
  }
}
