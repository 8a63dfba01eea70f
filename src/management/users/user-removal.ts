import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../capacities/index.js';
import { DirectoryRepository, type UserEntity } from '../../directory/index.js';
import { poolWithout } from '../../engine/index.js';
import {
  contentOf,
  RoutersRepository,
  withContent,
  withoutUsers,
  type RouterContent,
  type RouterEntity,
} from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { capacityForm } from '../capacities/capacities.kind.js';
import { RouterContents, routerForm, type RouterContext } from '../routers/router-contents.js';
import { pendingContent } from '../routers/router-drafter.js';
import { RoutersEditor } from '../routers/routers.editor.js';
import { teamForm } from '../teams/teams.kind.js';

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
    private readonly contents: RouterContents,
    private readonly editor: RoutersEditor,
  ) {}

  /** @param users active ones. What changes of others is noted. */
  async remove(change: ConfigurationChange, users: readonly UserEntity[]): Promise<void> {
    const context = await this.contents.load(change);
    const gone = new Map(users.map(({ id, email }) => [id, email]));
    await this.leaveTeams(change, gone, context);
    await this.leaveCapacities(change, gone, context);
    for (const router of context.routers) {
      if (router.published) await this.leaveLive(change, gone, { router, context });
      else await this.leavePending(change, gone, { router, context });
    }
  }

  private async leaveTeams(
    change: ConfigurationChange,
    gone: GoneUsers,
    { directory }: RouterContext,
  ): Promise<void> {
    for (const { id, name, memberIds } of directory.teams) {
      const left = memberIds.filter((member) => !gone.has(member));
      if (left.length === memberIds.length) continue;
      await this.directory.setMembers(change.tx, change.account, { id, memberIds: left });
      const before = teamForm({ name, memberIds }, directory);
      const after = teamForm({ name, memberIds: left }, directory);
      change.changed({ kind: 'team', id, name }, { before, after });
    }
  }

  private async leaveCapacities(
    change: ConfigurationChange,
    gone: GoneUsers,
    context: RouterContext,
  ): Promise<void> {
    for (const capacity of await this.capacities.list(change.tx, change.account)) {
      const { id, name, objectType, field, values, teams } = capacity;
      const users = capacity.users.filter(({ userId }) => !gone.has(userId));
      if (users.length === capacity.users.length) continue;
      await this.capacities.setUsers(change.tx, change.account, { id, users });
      const after = capacityForm({ name, objectType, field, values, users, teams }, context);
      const before = capacityForm(capacity, context);
      change.changed({ kind: 'capacity', id, name }, { before, after });
    }
  }

  /** What is live becomes the next version. A draft that was begun on what was live is one of that. */
  private async leaveLive(change: ConfigurationChange, gone: GoneUsers, edited: Edited): Promise<void> {
    const { router, context } = edited;
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
      const before = { ...routerForm(router, context.directory), version: router.version };
      const after = { ...routerForm(withContent(router, content), context.directory), version };
      change.changed({ kind: 'router', id, name: router.name }, { before, after });
    } else if (draft !== null && drafted !== null && drafted !== draft) {
      await this.routers.saveDraft(change.tx, change.account, { id, draft: drafted });
      const before = routerForm(withContent(router, draft), context.directory);
      const after = routerForm(withContent(router, drafted), context.directory);
      change.changed({ kind: 'router', id, name: router.name }, { before, after, draftOnly: true });
    }
  }

  private async leavePending(change: ConfigurationChange, gone: GoneUsers, edited: Edited): Promise<void> {
    const { router, context } = edited;
    const pending = pendingContent(router);
    const content = contentWithout(pending, new Set(gone.keys()));
    if (content === pending) return;
    const { draftOnly } = await this.editor.saveDraft(change, { router, content });
    const before = routerForm(withContent(router, pending), context.directory);
    const after = routerForm(withContent(router, content), context.directory);
    change.changed(
      { kind: 'router', id: router.id, name: router.name },
      { before, after, draftOnly, draft: true },
    );
  }
}

/** The e-mails of users who leave, by id. */
type GoneUsers = ReadonlyMap<string, string>;

interface Edited {
  readonly router: RouterEntity;
  readonly context: RouterContext;
}

/**
 * Returns what a router has without users: not in its pool, in that of a rule or as the backup. Percentages
 * of the others grow in proportion. Returns the same object where the router lists none of them.
 * @param gone ids of users
 */
function contentWithout<T extends RouterContent>(content: T, gone: ReadonlySet<string>): T {
  const settings = withoutUsers(content.settings, gone);
  const pool = poolWithout(content, ({ userId }) => gone.has(userId));
  if (pool.users.length < content.users.length) return { ...content, settings, ...pool };
  return settings === content.settings ? content : { ...content, settings };
}
