import { Injectable } from '@nestjs/common';
import { DirectoryRepository, type UserDto, type UserValues } from '../../../directory/index.js';
import type { AccountDto } from '../account.dto.js';
import { differingKeys, mentioned, type ApplyRun } from './apply-run.js';
import type { ApplySection } from './apply-section.js';

/** Applies `users`. An archived user who is in the file becomes active again. */
@Injectable()
export class UsersSection implements ApplySection {
  constructor(private readonly directory: DirectoryRepository) {}

  async apply(run: ApplyRun, { users = [] }: AccountDto): Promise<void> {
    for (const user of users) {
      const wanted = { ...userValues(user), archivedAt: null };
      const present = await this.directory.findUser(run.tx, run.account, user.email);
      if (present === null) {
        await this.directory.insertUser(run.tx, run.account, { ...wanted, email: user.email });
        run.created('user', user.email);
        continue;
      }
      const keys = differingKeys(present, wanted);
      if (keys.length === 0) continue;
      await this.directory.updateUser(run.tx, run.account, { ...wanted, id: present.id });
      run.updated('user', user.email, keys);
    }
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
