import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccountsRepository } from '../accounts/index.js';
import { Database } from '../database/index.js';
import { restoreSettings } from '../engine/index.js';
import { FieldsRepository, type FieldCatalog } from '../fields/index.js';
import { MissingParts } from './missing-parts.js';
import type { RouterEntity } from './router.entity.js';
import { RoutersRepository } from './routers.repository.js';

/** Most routers that a start names. */
const MOST = 100;

/** What is read of an account once, for all of its routers. */
interface KnownAccount {
  readonly catalog: FieldCatalog;
  readonly slug: string;
}

/** Says at the start which routers cannot run, because an extension that they need is not there. */
@Injectable()
export class MissingPartsWarning implements OnApplicationBootstrap {
  private readonly logger = new Logger(MissingPartsWarning.name);

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly fields: FieldsRepository,
    private readonly routers: RoutersRepository,
    private readonly missing: MissingParts,
  ) {}

  /** Never throws: the service also starts without a warning. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      const { models, operators, types } = this.missing.known;
      const fields = await this.database.read((db) => this.fields.namesBeyond(db, types));
      const names = { models, operators, fields };
      const accounts = new Map<string, KnownAccount>();
      const routers = await this.database.read((db) => this.routers.listBeyond(db, names, MOST));
      for (const router of routers) {
        const { accountId } = router;
        const account = accounts.get(accountId) ?? (await this.known(accountId));
        accounts.set(accountId, account);
        this.warnOf(router, account);
      }
    } catch (error) {
      this.logger.warn(`Routers could not be checked for missing extensions: ${String(error)}`);
    }
  }

  private known(accountId: string): Promise<KnownAccount> {
    return this.database.read(async (db) => {
      const catalog = await this.fields.catalog(db, { accountId }, undefined);
      const account = await this.accounts.find(db, { accountId });
      return { catalog, slug: account?.slug ?? accountId };
    });
  }

  private warnOf({ name, objectType, ...router }: RouterEntity, { catalog, slug }: KnownAccount): void {
    const settings = router.settings === null ? null : restoreSettings(router.settings, objectType);
    const missing = this.missing.of({ settings, objectType }, catalog);
    if (missing.length === 0) return;
    this.logger.warn(
      `Router "${name}" of account "${slug}" cannot run, because no extension provides ` +
        `${missing.join(' and ')}: add one that does to EXTENSIONS`,
    );
  }
}
