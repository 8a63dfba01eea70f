import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext, type KnownPart } from '../../accounts/index.js';
import { CapacitiesRepository, type CapacityEntity } from '../../capacities/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { FieldsRepository, type FieldCatalog } from '../../fields/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';

/** The configuration of one account, as of one version. Immutable. Requests share it. */
export interface AccountConfiguration {
  /** The configuration version at which the rest was read. */
  readonly version: string;
  readonly catalog: FieldCatalog;
  readonly directory: Directory;
  readonly capacities: readonly CapacityEntity[];
  /** Routers that are not archived, by id. */
  readonly routers: ReadonlyMap<string, RouterEntity>;
}

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
   * @param known the configuration of an earlier version: only what has changed since is read, and capacities
   * @returns undefined for an account that does not exist.
   */
  load(
    account: AccountContext,
    known: AccountConfiguration | undefined,
  ): Promise<AccountConfiguration | undefined> {
    return this.database.for(account).transaction((tx) => this.read(tx, account, known), {
      isolation: 'REPEATABLE READ',
      readOnly: true,
    });
  }

  /** As `load`, in a transaction that keeps the configuration from changing. */
  async read(
    tx: Transaction,
    account: AccountContext,
    known: AccountConfiguration | undefined,
  ): Promise<AccountConfiguration | undefined> {
    const found = await this.accounts.find(tx, account);
    if (found === null) return undefined;
    const { configVersion: version, holidays } = found;
    // A database that was restored may have an earlier version.
    const base = known !== undefined && BigInt(known.version) <= BigInt(version) ? known : undefined;
    const [catalog, capacities, directory, routers] = await Promise.all([
      this.fields.catalog(tx, account, partOf(base, 'catalog')),
      this.capacities.list(tx, account),
      this.directory.load(tx, account, { holidays, known: partOf(base, 'directory') }),
      this.routers.mapActive(tx, account, partOf(base, 'routers')),
    ]);
    return { version, catalog, capacities, directory, routers };
  }

  /** Returns the committed version. */
  currentVersion(account: AccountContext): Promise<string | undefined> {
    return this.accounts.currentVersion(this.database.for(account), account);
  }
}

function partOf<Key extends 'catalog' | 'directory' | 'routers'>(
  known: AccountConfiguration | undefined,
  key: Key,
): KnownPart<AccountConfiguration[Key]> | undefined {
  return known === undefined ? undefined : { part: known[key], version: known.version };
}
