import { Injectable } from '@nestjs/common';
import { newId } from '../../database/index.js';
import {
  DirectoryRepository,
  type UserDto,
  type UserEntity,
  type UserValues,
} from '../../directory/index.js';
import { mentioned, type ConfigurationChange } from '../change/configuration-change.js';
import { userForm } from '../forms/user-form.js';

/** A user as it is wanted, and the stored one; undefined for a new one. */
export interface WantedUser {
  readonly dto: UserDto;
  readonly present: UserEntity | undefined;
}

/** Creates and changes users. An archived user becomes active again. */
@Injectable()
export class UsersEditor {
  constructor(private readonly directory: DirectoryRepository) {}

  /** @returns the ids of the users, in the order of `users` */
  async keep(change: ConfigurationChange, users: readonly WantedUser[]): Promise<string[]> {
    const created: (UserValues & Pick<UserEntity, 'id' | 'email'>)[] = [];
    const changed: UserEntity[] = [];
    const ids = users.map(({ dto, present }) => {
      const { email } = dto;
      const id = present?.id ?? newId();
      const wanted = { ...userValues(dto), archivedAt: null };
      const before = present === undefined ? null : userState(present);
      const after = userState(Object.assign({}, present, wanted, { email }));
      if (!change.note({ kind: 'user', id, name: email }, { before, after })) return id;
      if (present === undefined) created.push({ ...wanted, id, email });
      else changed.push(Object.assign(present, wanted));
      return id;
    });
    await this.directory.insertUsers(change.tx, change.account, created);
    await this.directory.updateUsers(change.tx, changed);
    return ids;
  }
}

/** What the audit compares of a user: what the file says, and whether the user is archived. */
function userState(user: UserValues & Pick<UserEntity, 'email'>): object {
  const isArchived = user.archivedAt !== null && user.archivedAt !== undefined;
  return { ...userForm(user), ...(isArchived ? { archived: true } : {}) };
}

function userValues({ name, timezone, available, holidays, limits, ...user }: UserDto): UserValues {
  return mentioned({
    name,
    timezone,
    available,
    holidays,
    limits,
    workingHours: user.working_hours,
    outOfOffice: user.out_of_office,
  });
}
