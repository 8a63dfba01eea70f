import { Injectable } from '@nestjs/common';
import { renameInSettings } from '../../engine/index.js';
import { FieldsRepository } from '../../fields/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { RouterSettings } from '../change/router-settings.js';

/** Changes what names a user beside the user's own row. */
@Injectable()
export class UserReferences {
  constructor(
    private readonly settings: RouterSettings,
    private readonly fields: FieldsRepository,
  ) {}

  /** Writes another e-mail of a user into the settings of routers. */
  async rename(change: ConfigurationChange, emails: Readonly<Record<'from' | 'to', string>>): Promise<void> {
    const catalog = await this.fields.catalog(change.tx, change.account, undefined);
    const renamed = new Map([[emails.from, emails.to]]);
    await this.settings.rewrite(change, emails.from, (settings, objectType) => {
      const isUserField = (field: string): boolean => catalog.get(objectType, field)?.type === 'user';
      return renameInSettings(settings, { emails: renamed, isUserField });
    });
  }
}
