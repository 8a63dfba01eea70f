import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import { CapacitiesRepository } from '../../capacities/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { DirectoryRepository } from '../../directory/index.js';
import { FieldCatalog, FieldsRepository } from '../../fields/index.js';
import { RoutersRepository } from '../../routers/index.js';
import type { AccountConfiguration } from './account-configuration.js';

/** Reads an account's configuration from one snapshot of the database. */
@Injectable()
export class ConfigurationLoader {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly fields: FieldsRepository,
    private readonly directory: DirectoryRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly routers: RoutersRepository,
  ) {}

  /**
   * Reads the configuration in a transaction of its own.
   * @returns undefined for an account that does not exist.
   */
  load(account: AccountContext): Promise<AccountConfiguration | undefined> {
    return this.database.for(account).transaction((tx) => this.read(tx, account), {
      isolation: 'REPEATABLE READ',
      readOnly: true,
    });
  }

  /** As `load`, in a transaction that keeps the configuration from changing. */
  async read(tx: Transaction, account: AccountContext): Promise<AccountConfiguration | undefined> {
    const found = await this.accounts.find(tx, account);
    if (found === null) return undefined;
    const fields = await this.fields.list(tx, account);
    const routers = await this.routers.listActive(tx, account);
    return {
      version: found.configVersion,
      catalog: new FieldCatalog(fields),
      capacities: await this.capacities.list(tx, account),
      directory: await this.directory.load(tx, account, found.holidays),
      routers: new Map(routers.map((router) => [router.id, router])),
    };
  }

  /** Returns the committed version. */
  currentVersion(account: AccountContext): Promise<string | undefined> {
    return this.accounts.currentVersion(this.database.for(account), account);
  }
}
