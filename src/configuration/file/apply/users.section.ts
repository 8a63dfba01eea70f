import { Injectable } from '@nestjs/common';
import {
  DirectoryRepository,
  type UserDto,
  type UserEntity,
  type UserValues,
} from '../../../directory/index.js';
import type { AccountDto } from '../account.dto.js';
import { differingKeys, mentioned, type ApplyRun } from './apply-run.js';
import type { ApplySection } from './apply-section.js';

/** Applies `users`. An archived user who is in the file becomes active again. */
@Injectable()
export class UsersSection implements ApplySection {
  constructor(private readonly directory: DirectoryRepository) {}

  async apply(run: ApplyRun, { users = [] }: AccountDto): Promise<void> {
    const emails = users.map(({ email }) => email);
    const found = await this.directory.findUsers(run.tx, run.account, emails);
    const present = new Map(found.map((user) => [user.email, user]));
    const created: (UserValues & { email: string })[] = [];
    const changed: UserEntity[] = [];
    for (const user of users) {
      const wanted = { ...userValues(user), archivedAt: null };
      const before = present.get(user.email);
      if (before === undefined) {
        created.push({ ...wanted, email: user.email });
        run.created('user', user.email);
        continue;
      }
      const keys = differingKeys(before, wanted);
      if (keys.length === 0) continue;
      changed.push(Object.assign(before, wanted));
      run.updated('user', user.email, keys);
    }
    await this.directory.insertUsers(run.tx, run.account, created);
    await this.directory.updateUsers(run.tx, changed);
  }
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
