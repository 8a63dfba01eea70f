import { Injectable } from '@nestjs/common';
import {
  butOnCluster,
  newId,
  onCluster,
  slugLock,
  type EntityReader,
  type Queryable,
  type Statement,
  type Transaction,
} from '../database/index.js';
import type { AccountContext } from './account-context.js';
import { AccountEntity } from './account.entity.js';

const CURRENT_VERSION = {
  name: 'account_current_version',
  text: 'SELECT config_version FROM accounts WHERE id = $1',
};

/** The locks of the transaction may take as long as a statement: who holds them may apply a large file. */
const LOCK_SLUG = {
  name: 'account_lock_slug',
  text: `SELECT set_config('lock_timeout', '25s', true), pg_advisory_xact_lock(${slugLock('$1')})`,
};

/** $1 kind, $2 keys. Each node of a cluster has these rows. */
const FIND_BY_KEYS = {
  name: 'account_find_by_keys',
  text: 'SELECT key, account_id AS "accountId" FROM account_keys WHERE kind = $1 AND key = ANY ($2::text[])',
};

/** $1 kind, $2 keys, $3 account. */
const ADD_KEYS = {
  name: 'account_add_keys',
  text: `INSERT INTO account_keys (kind, key, account_id) SELECT $1, key, $3 FROM unnest($2::text[]) AS key
    ON CONFLICT (kind, key, account_id) DO NOTHING`,
};

/** $1 kind, $2 keys, $3 account. */
const FIND_PRESENT = {
  name: 'account_find_present_keys',
  text: 'SELECT key FROM account_keys WHERE kind = $1 AND key = ANY ($2::text[]) AND account_id = $3',
};

/** What leads to one account: its slug, or the id of an API client. */
type OwnKey = 'slug' | 'client';

/** Keys of one kind: of an account alone, or of people, whom several accounts may know. */
export interface AccountKeys {
  readonly kind: OwnKey | 'email' | 'person' | 'group';
  readonly keys: readonly string[];
}

// Fragments for statements of other rooms on the table `accounts`. Parameters are SQL expressions.

/** A row with the lock of `lockSlug`, for an account that exists. The node that has the account takes it. */
export const lockedSlugOf = (account: string): string =>
  `SELECT set_config('lock_timeout', '25s', true), pg_advisory_xact_lock(${slugLock('a.slug')})
    FROM accounts a WHERE a.id = ${account}`;

/** A condition: the account's configuration still has that version. */
export const configurationIsCurrent = (account: string, version: string): string =>
  `EXISTS (SELECT FROM accounts a WHERE a.id = ${account} AND a.config_version = ${version})`;

/**
 * A statement of the account $1 that fails by a division by zero unless its configuration has that version
 * (`ClusterSending.isRefusable`).
 */
export const requireConfiguration = (version: string): Statement => ({
  name: 'account_require_configuration',
  text: `SELECT 1 / count(*) AS found FROM accounts a WHERE a.id = $1 AND a.config_version = ${version}`,
});

/** A row `(id, config_version)` of the account. There is no row for an account that does not exist. */
export const accountVersion = (account: string): string =>
  `SELECT a.id, a.config_version FROM accounts a WHERE a.id = ${account}`;

const LOCK = { name: 'account_lock', text: `${accountVersion('$1')} FOR NO KEY UPDATE` };

/**
 * $1 account. As `accountVersion`, and locks the row until the transaction ends: dispatches decide for the
 * account one transaction after the other, and nobody changes its configuration meanwhile. Reads do not wait
 * for it, and who waits first has it first. There is no row for an account that does not exist.
 *
 * On a cluster a write that changes nothing comes before: it, and no SELECT, keeps the account on its node
 * until the transaction ends. A write of the row itself would let those who wait for it pass each other.
 */
export const LOCK_ACCOUNT: Statement = {
  ...LOCK,
  cluster: {
    steps: [
      {
        name: 'account_keep_on_node',
        text: 'UPDATE accounts SET config_version = config_version WHERE id = $1 AND config_version IS NULL',
      },
      LOCK,
    ],
  },
};

/**
 * The account of rows that a statement inserts from a query with `homeRow`: a cluster sends it to the node of
 * the account where it takes it from a row.
 */
export const homeId = (account: string): string => `${butOnCluster(account)}${onCluster('home.id')}`;

/** What lets a cluster evaluate a query without a table on the node of the account. */
export const atAccount = (account: string): string =>
  onCluster(`FROM accounts WHERE accounts.id = ${account}`);

/** What a query adds to its relations for `homeId`. */
export const homeRow = (account: string): string =>
  onCluster(`CROSS JOIN (SELECT id FROM accounts WHERE id = ${account}) home`);

/** A row `(id)` for each account. */
export const ALL_ACCOUNTS = 'SELECT a.id FROM accounts a';

/** A row `(id, slug, name)` for each account that is not suspended. */
export const ACTIVE_ACCOUNTS = 'SELECT a.id, a.slug, a.name FROM accounts a WHERE a.suspended_at IS NULL';

/** The table, and its columns with the id and the slug, for a dump of one account. */
export const ACCOUNTS_TABLE = { name: 'accounts', id: 'id', slug: 'slug' };

/** Reads and writes accounts, and raises the version of their configuration. */
@Injectable()
export class AccountsRepository {
  list(db: EntityReader): Promise<AccountEntity[]> {
    return db.repository(AccountEntity).find({ order: { slug: 'ASC' } });
  }

  /** Whether there is an account. */
  any(db: EntityReader): Promise<boolean> {
    return db.repository(AccountEntity).exists();
  }

  /** Returns the ids of the accounts that keys lead to, by the keys. */
  async findByKeys(
    db: Queryable,
    kind: OwnKey,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.findKeys(db, { kind, keys });
    return new Map(rows.map(({ key, accountId }) => [key, accountId]));
  }

  /** Finds the accounts that may know a person. Some may know nobody with the key any more. */
  async findMany(db: Queryable, keys: AccountKeys): Promise<string[]> {
    if (keys.keys.length === 0) return [];
    const rows = await this.findKeys(db, keys);
    return [...new Set(rows.map(({ accountId }) => accountId))].sort();
  }

  /**
   * Has keys lead to an account. In a cluster a write goes to all nodes: those that do already stay.
   * @throws the database's unique violation when another account has a slug or a client
   */
  async keepKeys(tx: Transaction, { accountId }: AccountContext, { kind, keys }: AccountKeys): Promise<void> {
    const rows = await tx.query<{ key: string }>(FIND_PRESENT, [kind, keys, accountId]);
    const present = new Set(rows.map(({ key }) => key));
    const added = [...new Set(keys)].filter((key) => !present.has(key));
    if (added.length > 0) await tx.query(ADD_KEYS, [kind, added, accountId]);
  }

  private findKeys(
    db: Queryable,
    { kind, keys }: AccountKeys,
  ): Promise<{ readonly key: string; readonly accountId: string }[]> {
    return db.query(FIND_BY_KEYS, [kind, keys]);
  }

  async findBySlug(db: EntityReader, slug: string): Promise<AccountEntity | null> {
    const id = (await this.findByKeys(db, 'slug', [slug])).get(slug);
    return id === undefined ? null : db.repository(AccountEntity).findOneBy({ id });
  }

  find(db: EntityReader, account: AccountContext): Promise<AccountEntity | null> {
    return db.repository(AccountEntity).findOneBy({ id: account.accountId });
  }

  /**
   * Creates an account.
   * @throws the database's unique violation when the slug is taken.
   */
  async create(tx: Transaction, values: { slug: string; name: string }): Promise<AccountContext> {
    const accountId = newId();
    await this.keepKeys(tx, { accountId }, { kind: 'slug', keys: [values.slug] });
    await tx.repository(AccountEntity).insert({ id: accountId, ...values });
    return { accountId };
  }

  /** Returns the committed configuration version; undefined for an account that does not exist. */
  async currentVersion(db: Queryable, account: AccountContext): Promise<string | undefined> {
    const rows = await db.query<{ config_version: string }>(CURRENT_VERSION, [account.accountId]);
    return rows[0]?.config_version;
  }

  /**
   * Waits for other transactions that create the account or change its configuration, and keeps new ones
   * waiting until this one ends.
   */
  async lockSlug(tx: Transaction, slug: string): Promise<void> {
    const accountId = (await this.findByKeys(tx, 'slug', [slug])).get(slug);
    if (accountId === undefined) await tx.query(LOCK_SLUG, [slug]);
    else await tx.query({ name: 'account_lock_slug_of', text: lockedSlugOf('$1') }, [accountId]);
  }

  /** Keeps the account's dispatches, and changes of its configuration, waiting until the transaction ends. */
  async lock(tx: Transaction, { accountId }: AccountContext): Promise<void> {
    await tx.query(LOCK_ACCOUNT, [accountId]);
  }

  /**
   * Raises the version, and changes values of the account. From the commit on, every process finds that its
   * cached configuration is outdated. This waits for the account's running dispatch and keeps new ones
   * waiting until the transaction ends, so that none reads half of a change: it is the last statement before
   * the commit.
   */
  async raiseVersion(
    tx: Transaction,
    { accountId }: AccountContext,
    values: Partial<AccountEntity> = {},
  ): Promise<void> {
    const changes = { ...values, configVersion: () => 'config_version + 1' };
    await tx.repository(AccountEntity).update({ id: accountId }, changes);
  }
}
