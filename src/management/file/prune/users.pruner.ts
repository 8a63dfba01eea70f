import { Injectable } from '@nestjs/common';
import { DirectoryRepository } from '../../../directory/index.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { describeUse } from '../../users/user-in-use.js';
import { UsersEditor } from '../../users/users.editor.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the users that `users` leaves out. */
@Injectable()
export class UsersPruner implements Pruner {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly editor: UsersEditor,
  ) {}

  async prune(change: ConfigurationChange, { users }: AccountDto): Promise<void> {
    if (users === undefined) return;
    const named = new Set(users.map(({ email }) => email));
    for (const user of await this.directory.listUsers(change.tx, change.account)) {
      if (named.has(user.email)) continue;
      const use = await this.editor.archive(change, user, { orphan: false });
      if (use !== null) change.refuse('users', `${user.email} ${describeUse(use)}`);
    }
  }
}
