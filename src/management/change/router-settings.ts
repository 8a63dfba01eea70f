import { Injectable } from '@nestjs/common';
import type { ObjectType } from '../../fields/index.js';
import { RoutersRepository, RouterVersionsRepository } from '../../routers/index.js';
import type { ConfigurationChange } from './configuration-change.js';

/** Settings as they are stored. */
export type StoredSettings = Readonly<Record<string, unknown>> | null;

/** Returns settings in which somebody is called otherwise; the same object where nothing changes. */
export type SettingsRewrite = (settings: StoredSettings, objectType: ObjectType) => StoredSettings;

/**
 * Changes what settings of routers call users and teams, wherever they stand: in what is live, in drafts and
 * in versions, of archived routers too. A version stays the same version.
 */
@Injectable()
export class RouterSettings {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionsRepository,
  ) {}

  async rewrite({ tx, account }: ConfigurationChange, rewritten: SettingsRewrite): Promise<void> {
    const routers = await this.routers.listAll(tx, account);
    const types = new Map(routers.map(({ id, objectType }) => [id, objectType]));
    // Before the routers, which keep the numbers of versions that they agree with.
    for (const { routerId, version, settings: before } of await this.versions.listAll(tx, account)) {
      const objectType = types.get(routerId);
      const settings = objectType === undefined ? before : rewritten(before, objectType);
      if (settings !== before) await this.versions.rewrite(tx, account, { routerId, version, settings });
    }
    for (const { id, objectType, settings: before, draft = null } of routers) {
      const settings = rewritten(before, objectType);
      const drafted = draft === null ? null : rewritten(draft.settings, objectType);
      if (settings === before && drafted === (draft?.settings ?? null)) continue;
      const changed = draft === null ? null : { ...draft, settings: drafted };
      await this.routers.rewrite(tx, account, { id, settings, draft: changed });
    }
  }
}
