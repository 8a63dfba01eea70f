import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { AccountContext } from '../accounts/index.js';
import { newId, type Queryable, type Transaction } from '../database/index.js';
import { Directory } from './directory.js';
import type { Team } from './team.js';
import { TeamEntity } from './team.entity.js';
import { UserEntity } from './user.entity.js';

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

  /** A user, archived or not. */
  findUser(db: Queryable, { accountId }: AccountContext, email: string): Promise<UserEntity | null> {
    return db.repository(UserEntity).findOneBy({ accountId, email });
  }

  async insertUser(
    tx: Transaction,
    { accountId }: AccountContext,
    values: UserValues & Pick<UserEntity, 'email'>,
  ): Promise<void> {
    await tx.repository(UserEntity).insert({ accountId, id: newId(), ...values });
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
