import { Injectable } from '@nestjs/common';
import { Any, IsNull } from 'typeorm';
import type { AccountContext } from '../accounts/index.js';
import { newId, type Queryable, type Transaction } from '../database/index.js';
import { Directory } from './directory.js';
import type { Team } from './team.js';
import { TeamEntity } from './team.entity.js';
import { UserEntity } from './user.entity.js';

/** Most rows of one statement. */
const MOST_AT_ONCE = 500;

/** The values of a user that can be changed. */
export type UserValues = Partial<
  Pick<
    UserEntity,
    'name' | 'timezone' | 'available' | 'workingHours' | 'outOfOffice' | 'holidays' | 'limits' | 'archivedAt'
  >
>;

/** Users and teams of accounts. */
@Injectable()
export class DirectoryRepository {
  /** The users that are not archived, by e-mail address. */
  listUsers(db: Queryable, { accountId }: AccountContext): Promise<UserEntity[]> {
    return db.repository(UserEntity).find({
      where: { accountId, archivedAt: IsNull() },
      order: { email: 'ASC' },
    });
  }

  /** Users by e-mail address, archived or not. */
  findUsers(db: Queryable, { accountId }: AccountContext, emails: readonly string[]): Promise<UserEntity[]> {
    return db.repository(UserEntity).findBy({ accountId, email: Any([...emails]) });
  }

  /** Inserts users in statements of bounded size. */
  async insertUsers(
    tx: Transaction,
    { accountId }: AccountContext,
    users: readonly (UserValues & Pick<UserEntity, 'email'>)[],
  ): Promise<void> {
    for (let start = 0; start < users.length; start += MOST_AT_ONCE) {
      const rows = users
        .slice(start, start + MOST_AT_ONCE)
        .map((values) => ({ accountId, id: newId(), ...values }));
      await tx.repository(UserEntity).insert(rows);
    }
  }

  async updateUser(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, ...values }: UserValues & Pick<UserEntity, 'id'>,
  ): Promise<void> {
    await tx.repository(UserEntity).update({ accountId, id }, values);
  }

  /** The teams by name. */
  listTeams(db: Queryable, { accountId }: AccountContext): Promise<TeamEntity[]> {
    return db.repository(TeamEntity).find({ where: { accountId }, order: { name: 'ASC' } });
  }

  async insertTeam(
    tx: Transaction,
    { accountId }: AccountContext,
    { name, memberIds }: Pick<Team, 'name' | 'memberIds'>,
  ): Promise<void> {
    await tx.repository(TeamEntity).insert({ accountId, id: newId(), name, memberIds: [...memberIds] });
  }

  async updateTeam(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, memberIds }: Pick<Team, 'id' | 'memberIds'>,
  ): Promise<void> {
    await tx.repository(TeamEntity).update({ accountId, id }, { memberIds: [...memberIds] });
  }

  /**
   * The users and teams for routing.
   * @param accountHolidays local dates that are holidays of every user, in addition to the user's own
   */
  async load(db: Queryable, account: AccountContext, accountHolidays: readonly string[]): Promise<Directory> {
    const users = await this.listUsers(db, account);
    const teams = await this.listTeams(db, account);
    return new Directory(
      users.map((user) => Object.assign(user, { holidays: [...accountHolidays, ...user.holidays] })),
      teams,
    );
  }
}
