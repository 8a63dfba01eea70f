import { Injectable } from '@nestjs/common';
import { configurationLock, newId, slugLock, type Queryable, type Transaction } from '../database/index.js';
import type { AccountContext } from './account-context.js';
import { AccountEntity } from './account.entity.js';

const CURRENT_VERSION = {
  name: 'account_current_version',
  text: 'SELECT config_version FROM accounts WHERE id = $1',
};

const LOCK_CONFIGURATION = {
  name: 'account_lock_configuration',
  text: `SELECT pg_advisory_xact_lock(${configurationLock('$1')})`,
};

const LOCK_SLUG = {
  name: 'account_lock_slug',
  text: `SELECT pg_advisory_xact_lock(${slugLock('$1')})`,
};

/** Accounts, and the version that every change of an account's configuration raises. */
@Injectable()
export class AccountsRepository {
  list(db: Queryable): Promise<AccountEntity[]> {
    return db.repository(AccountEntity).find({ order: { slug: 'ASC' } });
  }

  findBySlug(db: Queryable, slug: string): Promise<AccountEntity | null> {
    return db.repository(AccountEntity).findOneBy({ slug });
  }

  find(db: Queryable, account: AccountContext): Promise<AccountEntity | null> {
    return db.repository(AccountEntity).findOneBy({ id: account.accountId });
  }

  /** @throws the database's unique violation when the slug is taken. */
  async create(tx: Transaction, values: { slug: string; name: string }): Promise<AccountContext> {
    const accountId = newId();
    await tx.repository(AccountEntity).insert({ id: accountId, ...values });
    return { accountId };
  }

  async update(tx: Transaction, account: AccountContext, values: Partial<AccountEntity>): Promise<void> {
    await tx.repository(AccountEntity).update({ id: account.accountId }, values);
  }

  /** The configuration version as committed now; undefined for an account that does not exist. */
  async currentVersion(db: Queryable, account: AccountContext): Promise<string | undefined> {
    const rows = await db.query<{ config_version: string }>(CURRENT_VERSION, [account.accountId]);
    return rows[0]?.config_version;
  }

  /** Keeps a second transaction that would create the same account out until this one ends. */
  async lockSlug(tx: Transaction, slug: string): Promise<void> {
    await tx.query(LOCK_SLUG, [slug]);
  }

  /**
   * Waits for the account's running dispatches and keeps new ones out until the transaction ends: whoever changes the
   * configuration calls this first, so that no dispatch decides on what is being changed.
   */
  async lockConfiguration(tx: Transaction, account: AccountContext): Promise<void> {
    await tx.query(LOCK_CONFIGURATION, [account.accountId]);
  }

  /** Tells every process that its copy of the account's configuration is outdated, from the moment of the commit. */
  async raiseVersion(tx: Transaction, account: AccountContext): Promise<void> {
    await tx.repository(AccountEntity).increment({ id: account.accountId }, 'configVersion', 1);
  }
}
