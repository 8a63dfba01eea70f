import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { unauthorized, unavailable } from '../../errors/errors.js';
import { partsOf } from '../../routers/index.js';
import { type AccountConfiguration, ConfigurationLoader } from './configuration.loader.js';

/**
 * Returned by the work given to `use`: a statement found that the configuration has changed, and wrote
 * nothing.
 */
export const OUTDATED = Symbol('outdated');

/** Milliseconds for which a cached configuration is used before its version is compared with the database. */
const BELIEVED_FOR = 2_000;
const ATTEMPTS = 5;

/**
 * Milliseconds after which a configuration that nobody has used is read whole. Meanwhile the database may
 * have been replaced by a backup, whose versions mean something else.
 */
const KNOWN_FOR = 60_000;

/** Most accounts of which the configuration is kept, and most rows of all, of about a kilobyte each. */
const MOST = { max: 10_000, maxSize: 100_000 };

/** A rule or step, with what is compiled from it, counts as so many rows. */
const PART = 5;

/** Statuses of errors that may be wrong because the configuration has changed: invalid, or not found. */
const REFUSALS = new Set([400, 404]);

/** Whether an error may be wrong because the configuration has changed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && REFUSALS.has(error.status);
}

interface Entry {
  readonly configuration: AccountConfiguration;
  checkedAt: number;
  /** A statement has found another version. */
  isOutdated?: boolean;
}

/**
 * The configuration of accounts, cached in the process (ADR 2). An outdated entry does no harm: every
 * statement that writes compares the version of the configuration it was decided on with the account's row, a
 * refusal is checked against the current version, and reads are at most two seconds behind. Nothing has to be
 * notified of a change.
 */
@Injectable()
export class ConfigurationCache {
  private readonly entries = new LRUCache<string, Entry>({
    ...MOST,
    // A configuration that alone is larger than all may be is kept as the only one.
    sizeCalculation: ({ configuration }) => Math.min(rowsOf(configuration), MOST.maxSize),
  });
  private readonly loading = new Map<string, Promise<Entry>>();

  constructor(private readonly loader: ConfigurationLoader) {}

  /**
   * Runs `work` with the configuration of an account, and again when that configuration has turned out to be
   * outdated:
   *
   * - `work` returns OUTDATED. Its statement has compared the version of the configuration with the account's
   *   row and has written nothing.
   * - `work` throws 400 or 404, and the account has another version by now. The request may be good under the
   *   new configuration: a field, option or router may have been added.
   *
   * Every other result or error of `work` is final, also a 400 or 404 under the version that the account
   * still has. So `work` may run several times; a run that ends in OUTDATED, 400 or 404 must have written
   * nothing.
   *
   * @param work everything that depends on the configuration, validation included (ADR 9)
   * @returns what `work` returns
   * @throws what `work` throws; 503 when the configuration has changed in each of five runs; 401 for an
   * account that does not exist
   */
  async use<T>(
    account: AccountContext,
    work: (configuration: AccountConfiguration) => Promise<T | typeof OUTDATED> | T,
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const configuration = await this.get(account);
      try {
        const result = await work(configuration);
        if (result !== OUTDATED) return result;
      } catch (error) {
        if (!isRefusal(error) || (await this.isCurrent(account, configuration))) throw error;
      }
      this.outdate(account, configuration);
    }
    throw unavailable('The configuration of the account is changing, try again shortly');
  }

  /**
   * Whether the account still has a configuration. For work that returns refusals and does not throw them.
   */
  async isCurrent(account: AccountContext, { version }: AccountConfiguration): Promise<boolean> {
    return (await this.loader.currentVersion(account)) === version;
  }

  /**
   * Reads the configuration anew. For a transaction that holds the lock of the configuration of the account,
   * under which it cannot change again.
   */
  async reload(tx: Transaction, account: AccountContext): Promise<AccountConfiguration> {
    const checkedAt = performance.now();
    const known = this.known(this.entries.get(account.accountId), checkedAt);
    const configuration = await this.loader.read(tx, account, known);
    if (configuration === undefined) throw unauthorized('Unauthorized: missing account context');
    this.entries.set(account.accountId, { configuration, checkedAt });
    return configuration;
  }

  private async get(account: AccountContext): Promise<AccountConfiguration> {
    const entry = this.entries.get(account.accountId);
    const isBelieved = entry !== undefined && entry.isOutdated !== true;
    if (isBelieved && performance.now() - entry.checkedAt < BELIEVED_FOR) return entry.configuration;
    const pending = this.loading.get(account.accountId) ?? this.refresh(account, entry);
    return (await (account.deadline?.wait(pending) ?? pending)).configuration;
  }

  /** Loads the configuration. All requests that need it at the same time share it, so it ends with none. */
  private refresh({ accountId }: AccountContext, entry: Entry | undefined): Promise<Entry> {
    const refreshing = this.read({ accountId }, entry).finally(() => this.loading.delete(accountId));
    this.loading.set(accountId, refreshing);
    return refreshing;
  }

  private async read(account: AccountContext, entry: Entry | undefined): Promise<Entry> {
    const checkedAt = performance.now();
    const current = entry !== undefined && entry.isOutdated !== true ? entry : undefined;
    if (
      current !== undefined &&
      (await this.loader.currentVersion(account)) === current.configuration.version
    ) {
      current.checkedAt = checkedAt;
      return current;
    }
    const configuration = await this.loader.load(account, this.known(entry, checkedAt));
    if (configuration === undefined) throw unauthorized('Unauthorized: missing account context');
    const fresh = { configuration, checkedAt };
    this.entries.set(account.accountId, fresh);
    return fresh;
  }

  /** Returns the configuration of which only the changes need be read. */
  private known(entry: Entry | undefined, now: number): AccountConfiguration | undefined {
    return entry !== undefined && now - entry.checkedAt < KNOWN_FOR ? entry.configuration : undefined;
  }

  /** Has an outdated configuration read again, unless another request has replaced it already. */
  private outdate({ accountId }: AccountContext, configuration: AccountConfiguration): void {
    const entry = this.entries.get(accountId);
    if (entry?.configuration === configuration) entry.isOutdated = true;
  }
}

function rowsOf({ catalog, directory, capacities, routers }: AccountConfiguration): number {
  let rows = 1 + catalog.own.length + directory.own.length + directory.teams.length + capacities.length;
  for (const { settings, users, teams } of routers.values()) {
    rows += 1 + users.length + teams.length + partsOf(settings ?? {}).length * PART;
  }
  return rows;
}
