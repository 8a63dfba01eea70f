import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccountsRepository } from '../accounts/index.js';
import { Database } from '../database/index.js';
import { restoreSettings } from '../engine/index.js';
import { FieldsRepository } from '../fields/index.js';
import { MissingParts } from './missing-parts.js';
import type { RouterEntity } from './router.entity.js';
import { RoutersRepository } from './routers.repository.js';

/** Most routers that a start names. */
const MOST = 100;

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
      const fields = await this.fields.namesBeyond(this.database, types);
      const suspects = await this.routers.listBeyond(this.database, { models, operators, fields });
      for (const router of suspects.slice(0, MOST)) await this.warnOf(router);
    } catch (error) {
      this.logger.warn(`Routers could not be checked for missing extensions: ${String(error)}`);
    }
  }

  private async warnOf(router: RouterEntity): Promise<void> {
    const { accountId, name, objectType } = router;
    const catalog = await this.fields.catalog(this.database, { accountId }, undefined);
    const settings = router.settings === null ? null : restoreSettings(router.settings, objectType);
    const missing = this.missing.of({ settings, objectType }, catalog);
    if (missing.length === 0) return;
    const account = await this.accounts.find(this.database, { accountId });
    this.logger.warn(
      `Router "${name}" of account "${account?.slug ?? accountId}" cannot run, because no extension provides ` +
        `${missing.join(' and ')}: add one that does to EXTENSIONS`,
    );
  }
}
