import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../capacities/index.js';
import { DirectoryRepository, type UserEntity } from '../../directory/index.js';
import { contentOf, RoutersRepository, withContent, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { capacityForm } from '../forms/capacity-form.js';
import { routerForm } from '../forms/router-form.js';
import { teamForm } from '../forms/team-form.js';
import type { Surroundings } from '../routers/router-contents.js';
import { pendingContent } from '../routers/router-drafts.js';
import { RoutersEditor } from '../routers/routers.editor.js';
import { contentWithout } from './content-without.js';

/**
 * Takes users who are to be archived out of teams, capacities and routers. So these name active users only,
 * can be published and applied again, and do not list anybody who becomes active again later.
 */
@Injectable()
export class UserRemoval {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly routers: RoutersRepository,
    private readonly editor: RoutersEditor,
  ) {}

  /** @param users active ones. What changes of others is noted. */
  async remove(
    change: ConfigurationChange,
    users: readonly UserEntity[],
    around: Surroundings,
  ): Promise<void> {
    const gone = new Map(users.map(({ id, email }) => [id, email]));
    await this.leaveTeams(change, gone, around);
    await this.leaveCapacities(change, gone, around);
    for (const router of around.routers) {
      if (router.published) await this.leaveLive(change, gone, { router, around });
      else await this.leavePending(change, gone, { router, around });
    }
  }

  private async leaveTeams(
    change: ConfigurationChange,
    gone: GoneUsers,
    { directory }: Surroundings,
  ): Promise<void> {
    for (const { id, name, memberIds } of directory.teams) {
      const left = memberIds.filter((member) => !gone.has(member));
      if (left.length === memberIds.length) continue;
      const values = { id, name, memberIds: left, archivedAt: null };
      await this.directory.updateTeam(change.tx, change.account, values);
      const before = teamForm({ name, memberIds }, directory);
      change.note({ kind: 'team', id, name }, { before, after: teamForm(values, directory) });
    }
  }

  private async leaveCapacities(
    change: ConfigurationChange,
    gone: GoneUsers,
    around: Surroundings,
  ): Promise<void> {
    for (const capacity of await this.capacities.list(change.tx, change.account)) {
      const { id, name, objectType, field, values, teams } = capacity;
      const users = capacity.users.filter(({ userId }) => !gone.has(userId));
      if (users.length === capacity.users.length) continue;
      await this.capacities.update(change.tx, change.account, { id, users });
      const after = capacityForm({ name, objectType, field, values, users, teams }, around);
      const before = capacityForm(capacity, around);
      change.note({ kind: 'capacity', id, name }, { before, after });
    }
  }

  /** What is live becomes the next version. A draft that was begun on what was live is one of that. */
  private async leaveLive(change: ConfigurationChange, gone: GoneUsers, edited: Edited): Promise<void> {
    const { router, around } = edited;
    const { id, draft = null } = router;
    const live = contentOf(router);
    const ids = new Set(gone.keys());
    const content = contentWithout(live, ids);
    const drafted = draft === null ? null : contentWithout(draft, ids);
    if (content !== live) {
      const note = `Without ${[...gone.values()].join(', ')}`;
      const going = { router, content, draft: drafted, note };
      const version = await this.editor.goLive(change, going);
      if (drafted !== null && drafted.base === router.version) {
        const rebased = { ...drafted, base: version };
        await this.routers.saveDraft(change.tx, change.account, { id, draft: rebased });
      }
      const before = { ...routerForm(router, around.directory), version: router.version };
      const after = { ...routerForm(withContent(router, content), around.directory), version };
      change.note({ kind: 'router', id, name: router.name }, { before, after });
    } else if (draft !== null && drafted !== null && drafted !== draft) {
      await this.routers.saveDraft(change.tx, change.account, { id, draft: drafted });
      const before = routerForm(withContent(router, draft), around.directory);
      const after = routerForm(withContent(router, drafted), around.directory);
      change.note({ kind: 'router', id, name: router.name }, { before, after, hidden: true });
    }
  }

  private async leavePending(change: ConfigurationChange, gone: GoneUsers, edited: Edited): Promise<void> {
    const { router, around } = edited;
    const pending = pendingContent(router);
    const content = contentWithout(pending, new Set(gone.keys()));
    if (content === pending) return;
    const { hidden } = await this.editor.saveDraft(change, { router, content });
    const before = routerForm(withContent(router, pending), around.directory);
    const after = routerForm(withContent(router, content), around.directory);
    change.note({ kind: 'router', id: router.id, name: router.name }, { before, after, hidden, draft: true });
  }
}

/** The e-mails of users who leave, by id. */
type GoneUsers = ReadonlyMap<string, string>;

interface Edited {
  readonly router: RouterEntity;
  readonly around: Surroundings;
}
