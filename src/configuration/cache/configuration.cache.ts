import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { unauthorized, unavailable } from '../../errors/errors.js';
import type { AccountConfiguration } from './account-configuration.js';
import { ConfigurationLoader } from './configuration.loader.js';

/** What the work given to `use` answers when the database said that the configuration it worked with has changed. */
export const OUTDATED = Symbol('outdated');

/** Milliseconds after which a cached configuration is checked against the database before it is used again. */
const BELIEVED_FOR = 2_000;
const MAX_ACCOUNTS = 2_000;
const ATTEMPTS = 5;

/** Refusals that a change of the configuration may have made wrong: invalid, or not found. */
const REFUSALS = new Set([400, 404]);

interface Entry {
  readonly configuration: AccountConfiguration;
  checkedAt: number;
}

/**
 * The configuration of accounts, cached in the process. It cannot mislead: every statement that writes compares the
 * version it was decided on with the account's row, reads are at most two seconds behind, and nothing is refused
 * before the version has been checked. No notification channel is needed, so it works through a connection pooler too.
 */
@Injectable()
export class ConfigurationCache {
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_ACCOUNTS });
  private readonly loading = new Map<string, Promise<Entry>>();

  constructor(private readonly loader: ConfigurationLoader) {}

  /**
   * Runs `work` with the account's configuration. When it answers OUTDATED, or refuses the request (400 or 404) on a
   * version that is no longer the account's, it runs again with the new one; so it must do nothing before it knows.
   */
  async use<T>(
    account: AccountContext,
    work: (configuration: AccountConfiguration) => Promise<T | typeof OUTDATED>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const configuration = await this.get(account);
      try {
        const result = await work(configuration);
        if (result !== OUTDATED) return result;
      } catch (error) {
        const refused = error instanceof DomainError && REFUSALS.has(error.status);
        if (!refused || (await this.loader.currentVersion(account)) === configuration.version) throw error;
      }
      this.forget(account, configuration);
    }
    throw unavailable('The configuration of the account is changing, try again shortly');
  }

  /**
   * Reads the configuration anew in a transaction that keeps it from changing (`lockRouter`), for work that would find it
   * changed again if it let go.
   */
  async reload(tx: Transaction, account: AccountContext): Promise<AccountConfiguration> {
    const checkedAt = performance.now();
    const configuration = await this.loader.read(tx, account);
    if (configuration === undefined) throw unauthorized('Unauthorized: missing account context');
    this.entries.set(account.accountId, { configuration, checkedAt });
    return configuration;
  }

  private async get(account: AccountContext): Promise<AccountConfiguration> {
    const entry = this.entries.get(account.accountId);
    if (entry !== undefined && performance.now() - entry.checkedAt < BELIEVED_FOR) return entry.configuration;
    const pending = this.loading.get(account.accountId) ?? this.refresh(account, entry);
    return (await pending).configuration;
  }

  /** One look at the database for all requests that wait for it. */
  private refresh(account: AccountContext, entry: Entry | undefined): Promise<Entry> {
    const { accountId } = account;
    const refreshing = this.read(account, entry).finally(() => this.loading.delete(accountId));
    this.loading.set(accountId, refreshing);
    return refreshing;
  }

  private async read(account: AccountContext, entry: Entry | undefined): Promise<Entry> {
    const checkedAt = performance.now();
    if (entry !== undefined && (await this.loader.currentVersion(account)) === entry.configuration.version) {
      entry.checkedAt = checkedAt;
      return entry;
    }
    const configuration = await this.loader.load(account);
    if (configuration === undefined) throw unauthorized('Unauthorized: missing account context');
    const fresh = { configuration, checkedAt };
    this.entries.set(account.accountId, fresh);
    return fresh;
  }

  /** Drops a configuration that proved outdated, unless somebody has replaced it already. */
  private forget({ accountId }: AccountContext, configuration: AccountConfiguration): void {
    if (this.entries.get(accountId)?.configuration === configuration) this.entries.delete(accountId);
  }
}
