import { Injectable } from '@nestjs/common';
import type { ObjectType } from '../../fields/index.js';
import { RoutersRepository, type RewrittenRouter } from '../../routers/index.js';
import type { ConfigurationChange } from './configuration-change.js';

/** Settings as they are stored. */
export type StoredSettings = Readonly<Record<string, unknown>> | null;

/** Returns settings in which somebody is called otherwise; the same object where nothing changes. */
export type SettingsRewrite = (settings: StoredSettings, objectType: ObjectType) => StoredSettings;

/**
 * Changes what settings of routers call users and teams, in what is live and in drafts, of archived routers
 * too. Versions stay as they are: reading one gives the names of now.
 */
@Injectable()
export class RouterSettings {
  constructor(private readonly routers: RoutersRepository) {}

  /** @param name the e-mail or name that is looked for */
  async rewrite(
    { tx, account }: ConfigurationChange,
    name: string,
    rewritten: SettingsRewrite,
  ): Promise<void> {
    const changed: RewrittenRouter[] = [];
    for (const router of await this.routers.listSpelling(tx, account, name)) {
      const { id, version, objectType, draft = null } = router;
      const settings = rewritten(router.settings, objectType);
      const drafted = draft === null ? null : rewritten(draft.settings, objectType);
      if (settings === router.settings && drafted === (draft?.settings ?? null)) continue;
      changed.push({ id, version, settings, draft: draft === null ? null : { ...draft, settings: drafted } });
    }
    await this.routers.rewrite(tx, account, changed);
  }
}
