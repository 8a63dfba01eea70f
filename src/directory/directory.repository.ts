import { Injectable } from '@nestjs/common';
import { Any, ArrayContains, IsNull, MoreThanOrEqual, Not } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import type { EntityReader } from '../database/index.js';
import { Directory } from './directory.js';
import { nameKey } from '../text/canonical-text.js';
import { emailKey } from '../text/email-key.js';
import { TeamEntity } from './team.entity.js';
import { UserEntity } from './user.entity.js';

interface NamedTeams {
  readonly teamIds?: Iterable<string>;
  readonly teamNames?: Iterable<string>;
}

/** Users and teams to load. */
export interface SomePeople extends NamedTeams {
  readonly userIds?: Iterable<string>;
  readonly emails?: Iterable<string>;
  /** Stored names of users whose e-mail has changed since. */
  readonly storedNames?: readonly string[];
  /** Whether the members of the teams are loaded, too. Default true. */
  readonly withMembers?: boolean;
}

interface LoadOptions {
  /** Local dates that are holidays of every user, in addition to the user's own. */
  readonly holidays?: readonly string[];
  /** Gives the users and teams that have not changed since. */
  readonly known?: KnownPart<Directory> | undefined;
}

/** Users and teams of accounts. */
@Injectable()
export class DirectoryRepository {
  /** The users that are not archived, by e-mail address. */
  listUsers(db: EntityReader, { accountId }: AccountContext): Promise<UserEntity[]> {
    return db.repository(UserEntity).find({
      where: { accountId, archivedAt: IsNull() },
      order: { email: 'ASC' },
    });
  }

  /** Users by e-mail address, in any form of it, archived or not. */
  findUsers(db: EntityReader, account: AccountContext, emails: readonly string[]): Promise<UserEntity[]> {
    const { accountId } = account;
    return db.repository(UserEntity).findBy({ accountId, emailKey: Any(emails.map(emailKey)) });
  }

  /** Returns those of the e-mails that are stored names of users who have another e-mail now. */
  async findStoredNames(
    db: EntityReader,
    { accountId }: AccountContext,
    emails: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const found = await db.repository(UserEntity).findBy({ accountId, storedAs: Any([...emails]) });
    return new Set(found.map(({ storedAs }) => storedAs ?? ''));
  }

  /** The teams with these ids, and those with these names, archived or not. */
  async findTeams(db: EntityReader, account: AccountContext, named: NamedTeams): Promise<TeamEntity[]> {
    const { accountId } = account;
    const { teamIds = [], teamNames = [] } = named;
    const [ids, names] = [[...teamIds], [...teamNames].map(nameKey)];
    if (ids.length + names.length === 0) return [];
    return db.repository(TeamEntity).findBy([
      { accountId, id: Any(ids) },
      { accountId, nameKey: Any(names) },
    ]);
  }

  /** The ids of the active teams that a user is in. */
  async findTeamsOf(db: EntityReader, { accountId }: AccountContext, userId: string): Promise<string[]> {
    const where = { accountId, memberIds: ArrayContains([userId]), archivedAt: IsNull() };
    const teams = await db.repository(TeamEntity).find({ select: { id: true }, where });
    return teams.map(({ id }) => id);
  }

  /** The users and teams for routing. */
  async load(db: EntityReader, account: AccountContext, options: LoadOptions = {}): Promise<Directory> {
    const { holidays = [], known } = options;
    if (known !== undefined)
      return known.part.with({ ...(await this.changes(db, account, known)), holidays });
    const { accountId } = account;
    const [users, teams, archived] = await Promise.all([
      this.listUsers(db, account),
      this.allTeams(db, account),
      db.repository(UserEntity).find({
        select: { id: true, email: true, storedAs: true, archivedAt: true },
        where: { accountId, archivedAt: Not(IsNull()) },
      }),
    ]);
    return new Directory([...users, ...archived], teams, { holidays });
  }

  /** The directory of these users and teams, and of the members of the teams. It has the active ones. */
  async loadSome(db: EntityReader, account: AccountContext, some: SomePeople): Promise<Directory> {
    const { userIds = [], emails = [], storedNames = [], withMembers = true, ...named } = some;
    const { accountId } = account;
    const teams = await this.findTeams(db, account, named);
    const memberIds = withMembers ? teams.flatMap((team) => team.memberIds) : [];
    const users = await db
      .repository(UserEntity)
      .findBy([
        { accountId, id: Any([...new Set([...userIds, ...memberIds])]) },
        { accountId, emailKey: Any([...emails].map(emailKey)) },
        ...(storedNames.length === 0 ? [] : [{ accountId, storedAs: Any([...storedNames]) }]),
      ]);
    return new Directory(users, teams);
  }

  private async changes(db: EntityReader, account: AccountContext, { version }: KnownPart<Directory>) {
    const changed = { accountId: account.accountId, changedIn: MoreThanOrEqual(version) };
    const [users, areTeamsChanged] = await Promise.all([
      db.repository(UserEntity).findBy(changed),
      db.repository(TeamEntity).existsBy(changed),
    ]);
    return { users, teams: areTeamsChanged ? await this.allTeams(db, account) : undefined };
  }

  private allTeams(db: EntityReader, { accountId }: AccountContext): Promise<TeamEntity[]> {
    return db.repository(TeamEntity).find({ where: { accountId }, order: { name: 'ASC' } });
  }
}
