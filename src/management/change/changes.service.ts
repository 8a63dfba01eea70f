import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, type Transaction } from '../../database/index.js';
import { AuditRepository } from './audit.repository.js';
import { commandAuthor, ConfigurationChange, type PlannedChange } from './configuration-change.js';
import type { ValueChange } from './value-changes.js';

/** A command that changes the configuration of one account. */
export interface CommandCaller extends AccountContext {
  /** The name of the command, such as `client create`. */
  readonly command: string;
}

/** Whoever changes the configuration of an account. */
export type Changer = Caller | CommandCaller;

/** How a change is made. */
export interface ChangeOptions {
  /** The work may read all records of the account. */
  readonly long?: boolean;
  /** All is rolled back, and the answer has `changes`. */
  readonly dryRun?: boolean | undefined;
}

/** What an answer has where it is one of a dry run. */
export interface Tried {
  /** The values that would have changed, as the audit would tell them. */
  readonly changes?: readonly ValueChange[];
}

/** Changes the configuration of accounts: each change in one transaction, audited (contract section 6). */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Runs `work` for a request of a client or for a command, and commits what it has noted. Those who change
   * the same account take turns.
   * @param work returns what is answered; of a dry run with the id of the object, its `id` or its `client_id`
   * @throws 400 listing what has failed; what `work` throws
   */
  change<T extends object>(
    by: Changer,
    work: (change: ConfigurationChange) => Promise<T>,
    options: ChangeOptions = {},
  ): Promise<T & Tried> {
    const run = async (tx: Transaction): Promise<T & Tried> => {
      const name = await this.audit.begin(tx, by);
      const author =
        'command' in by
          ? commandAuthor(by.command)
          : {
              kind: by.member === undefined ? ('client' as const) : ('user' as const),
              id: by.clientId,
              name: by.member?.email ?? name,
              requestId: by.requestId,
            };
      const change = new ConfigurationChange(tx, by, { author });
      const result = await work(change);
      change.throwIfFailed();
      await this.complete(change);
      if (options.dryRun !== true) return result;
      const { id, client_id = '' } = result as { readonly id?: string; readonly client_id?: string };
      return { ...result, changes: change.valuesOf(id ?? client_id) };
    };
    return this.database.for(by).transaction(run, { ...options, eager: true });
  }

  /**
   * Writes the audit of a change, and raises the version where more than drafts and clients has changed. It
   * is the last step of the transaction: dispatches wait for the commit only, and not for the work before it,
   * which nobody sees until then.
   */
  async complete({ tx, account, accountValues, author, changes }: ConfigurationChange): Promise<void> {
    if (changes.length === 0) return;
    await this.audit.insert(tx, account, { author, changes });
    // No process caches these with the configuration.
    const isApart = ({ object, draftOnly }: PlannedChange): boolean =>
      draftOnly === true || object.kind === 'client' || object.kind === 'member';
    if (changes.every(isApart)) return;
    await this.accounts.raiseVersion(tx, account, accountValues);
  }
}
