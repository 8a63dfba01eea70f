import { Injectable } from '@nestjs/common';
import { newId } from '../../database/index.js';
import {
  DirectoryRepository,
  type UserDto,
  type UserEntity,
  type UserValues,
} from '../../directory/index.js';
import { mentioned, type ConfigurationChange } from '../change/configuration-change.js';
import { archivableState } from '../change/managed-row.js';
import { userForm } from '../forms/user-form.js';

/** A user as it is wanted, and the stored one; undefined for a new one. */
export interface WantedUser {
  readonly dto: UserDto;
  readonly present: UserEntity | undefined;
}

/** Creates and changes users. */
@Injectable()
export class UsersEditor {
  constructor(private readonly directory: DirectoryRepository) {}

  /**
   * Creates and changes users. An archived user becomes active again. Another e-mail must be free.
   * @returns the ids of the users, in the order of `users`
   */
  async keep(change: ConfigurationChange, users: readonly WantedUser[]): Promise<string[]> {
    const created: (UserValues & Pick<UserEntity, 'id' | 'email'>)[] = [];
    const changed: UserEntity[] = [];
    const taken = await this.takenNames(change, users);
    const ids = users.map(({ dto, present }) => {
      const { email } = dto;
      const id = present?.id ?? newId();
      const wanted = { ...userValues(dto), archivedAt: null };
      const before = present === undefined ? null : userState(present);
      const after = userState(Object.assign({}, present, wanted, { email }));
      if (!change.note({ kind: 'user', id, name: email }, { before, after })) return id;
      if (present === undefined) {
        created.push({ ...wanted, id, email, ...(taken.has(email) ? { storedAs: id } : {}) });
      } else {
        changed.push(Object.assign(present, wanted, renamedTo(present, email)));
      }
      return id;
    });
    await this.directory.insertUsers(change.tx, change.account, created);
    await this.directory.updateUsers(change.tx, changed);
    return ids;
  }

  /** Returns those e-mails of new users by which rows name somebody else, who has another e-mail now. */
  private async takenNames(
    { tx, account }: ConfigurationChange,
    users: readonly WantedUser[],
  ): Promise<ReadonlySet<string>> {
    const emails = users.flatMap(({ dto, present }) => (present === undefined ? [dto.email] : []));
    return emails.length === 0 ? new Set() : this.directory.findStoredNames(tx, account, emails);
  }
}

/** The e-mail of a stored user, and the name by which rows go on naming the user (ADR 24). */
function renamedTo(present: UserEntity, email: string): Partial<UserEntity> {
  if (present.email === email) return {};
  const name = present.storedAs ?? present.email;
  return { email, storedAs: name === email ? null : name };
}

/** What the audit compares of a user: what the file says, and whether the user is archived. */
function userState(user: UserValues & Pick<UserEntity, 'email'>): object {
  return archivableState(userForm(user), user);
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
