import { Injectable } from '@nestjs/common';
import { DirectoryRepository } from '../../../directory/index.js';
import { emailKey } from '../../../text/email-key.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { UsersEditor } from '../../users/users.editor.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies `users`. An archived user who is in the file becomes active again. */
@Injectable()
export class UsersSection implements ApplySection {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly editor: UsersEditor,
  ) {}

  async apply(change: ConfigurationChange, { users = [] }: AccountDto): Promise<void> {
    const emails = users.map(({ email }) => email);
    const found = await this.directory.findUsers(change.tx, change.account, emails);
    const present = new Map(found.map((user) => [emailKey(user.email), user]));
    await this.editor.keep(
      change,
      users.map((dto) => ({ dto, present: present.get(emailKey(dto.email)) })),
    );
  }
}
