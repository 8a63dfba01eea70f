import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/index.js';
import { ApiClientsRepository, type Caller } from '../../auth/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { invalid, MAX_ERRORS } from '../../errors/errors.js';
import { AuditRepository } from './audit.repository.js';
import { ConfigurationChange } from './configuration-change.js';

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
   * Runs `work` for a request of a client, and commits what it has noted. Those who change the same account
   * take turns.
   * @returns what `work` returns
   * @throws 400 listing what `work` has refused; what `work` throws
   */
  change<T>(client: Caller, work: (change: ConfigurationChange) => Promise<T>): Promise<T> {
    return this.database.for(client).transaction(async (tx) => {
      await this.accounts.lockSlugOf(tx, client);
      const name = await this.clients.nameOf(tx, client);
      const author = { kind: 'client', id: client.clientId, name, requestId: client.requestId } as const;
      const change = new ConfigurationChange(tx, client, { author });
      const result = await work(change);
      if (change.errors.length > 0) {
        const omitted = Math.max(0, change.errors.length - MAX_ERRORS);
        throw invalid(change.errors.slice(0, MAX_ERRORS), { omitted });
      }
      await this.complete(tx, change);
      return result;
    });
  }

  /**
   * Writes the audit of a change, and raises the version where more than drafts has changed. It is the last
   * step of the transaction: dispatches wait for the commit only, and not for the work before it, which
   * nobody sees until then.
   */
  async complete(tx: Transaction, { account, author, changes }: ConfigurationChange): Promise<void> {
    if (changes.length === 0) return;
    await this.audit.insert(tx, account, { author, changes });
    if (changes.every(({ hidden }) => hidden === true)) return;
    await this.accounts.lockConfiguration(tx, account);
    await this.accounts.raiseVersion(tx, account);
  }
}
