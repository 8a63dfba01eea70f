import { Injectable } from '@nestjs/common';
import type { Directory } from '../../directory/index.js';
import { RoutersRepository } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { routerForm } from '../forms/router-form.js';
import { renameTeam } from './rename-team.js';

/** Carries the new name of a team into the rules of routers, which name teams by their names. */
@Injectable()
export class TeamNames {
  constructor(private readonly routers: RoutersRepository) {}

  /** @param names with the directory that the forms of routers are made with */
  async rename(
    change: ConfigurationChange,
    names: { readonly from: string; readonly to: string },
    directory: Directory,
  ): Promise<void> {
    for (const router of await this.routers.listActive(change.tx, change.account)) {
      const settings = renameTeam(router.settings, names);
      if (settings === router.settings) continue;
      const { id, name } = router;
      const forms = {
        before: routerForm(router, directory),
        after: routerForm(Object.assign({}, router, { settings }), directory),
      };
      change.note({ kind: 'router', id, name }, forms);
      await this.routers.update(change.tx, change.account, { id, settings });
    }
  }
}
