import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import { ApiClientsRepository } from '../../auth/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, type Transaction } from '../../database/index.js';
import { commandAuthor, type Author } from './author.js';
import { AuditRepository } from './audit.repository.js';
import { ConfigurationChange } from './configuration-change.js';

/** A command that changes the configuration of one account. */
export interface CommandCaller extends AccountContext {
  /** The name of the command, such as `client create`. */
  readonly command: string;
}

/** Whoever changes the configuration of an account. */
export type Changer = Caller | CommandCaller;

/** Changes the configuration of accounts: each change in one transaction, audited (contract section 6). */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly clients: ApiClientsRepository,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Runs `work` for a request of a client or for a command, and commits what it has noted. Those who change
   * the same account take turns.
   * @param options `long`: the work may read all records of the account
   * @returns what `work` returns
   * @throws 400 listing what `work` has refused; what `work` throws
   */
  change<T>(
    by: Changer,
    work: (change: ConfigurationChange) => Promise<T>,
    options: { readonly long?: boolean } = {},
  ): Promise<T> {
    return this.database.for(by).transaction(async (tx) => {
      await this.accounts.lockSlugOf(tx, by);
      const change = new ConfigurationChange(tx, by, { author: await this.authorOf(tx, by) });
      const result = await work(change);
      change.throwIfRefused();
      await this.complete(tx, change);
      return result;
    }, options);
  }

  /**
   * Writes the audit of a change, and raises the version where more than drafts and clients has changed. It
   * is the last step of the transaction: dispatches wait for the commit only, and not for the work before it,
   * which nobody sees until then.
   */
  async complete(
    tx: Transaction,
    { account, accountValues, author, changes }: ConfigurationChange,
  ): Promise<void> {
    if (changes.length === 0) return;
    await this.audit.insert(tx, account, { author, changes });
    // No process caches drafts or clients with the configuration.
    if (changes.every(({ object, hidden }) => hidden === true || object.kind === 'client')) return;
    await this.accounts.raiseVersion(tx, account, accountValues);
  }

  private async authorOf(tx: Transaction, by: Changer): Promise<Author> {
    if ('command' in by) return commandAuthor(by.command);
    const name = await this.clients.nameOf(tx, by);
    return { kind: 'client', id: by.clientId, name, requestId: by.requestId };
  }
}
