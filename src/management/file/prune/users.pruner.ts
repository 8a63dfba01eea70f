import { Injectable } from '@nestjs/common';
import { DirectoryRepository } from '../../../directory/index.js';
import { emailKey } from '../../../text/email-key.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { describeUse } from '../../users/user-in-use.js';
import { UsersArchiver } from '../../users/users.archiver.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the users that `users` leaves out. */
@Injectable()
export class UsersPruner implements Pruner {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly archiver: UsersArchiver,
  ) {}

  async prune(change: ConfigurationChange, { users }: AccountDto): Promise<void> {
    if (users === undefined) return;
    const named = new Set(users.map(({ email }) => emailKey(email)));
    const active = await this.directory.listUsers(change.tx, change.account);
    const left = active.filter(({ email }) => !named.has(emailKey(email)));
    const used = await this.archiver.archive(change, left, { orphan: false });
    for (const { id, email } of left) {
      const use = used.get(id);
      if (use !== undefined) change.refuse('users', `${email} ${describeUse(use)}`);
    }
  }
}
