import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../capacities/index.js';
import { DirectoryRepository, type UserEntity } from '../../directory/index.js';
import { poolWithout } from '../../engine/index.js';
import { contentOf, pendingContent, withoutUsers, type RouterContent } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { RouterContents, type RouterContext } from '../routers/router-contents.js';
import { RouterWriter } from '../routers/router-writer.js';
import { capacityForm } from './capacities.kind.js';
import { teamForm } from './teams.kind.js';

/** The e-mails of users who leave, by id. */
type GoneUsers = ReadonlyMap<string, string>;

/**
 * Takes users who are to be archived out of teams, capacities and routers. So these name active users only,
 * can be published and applied again, and do not list anybody who becomes active again later.
 */
@Injectable()
export class UserRemoval {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly contents: RouterContents,
    private readonly writer: RouterWriter,
  ) {}

  /** @param users active ones. What changes of others is noted. */
  async remove(change: ConfigurationChange, users: readonly UserEntity[]): Promise<void> {
    const context = await this.contents.load(change);
    const gone = new Map(users.map(({ id, email }) => [id, email]));
    await this.leaveTeams(change, gone, context);
    await this.leaveCapacities(change, gone, context);
    await this.leaveRouters(change, gone, context);
  }

  private async leaveTeams(
    change: ConfigurationChange,
    gone: GoneUsers,
    { directory }: RouterContext,
  ): Promise<void> {
    for (const team of directory.teams) {
      const { id, name } = team;
      const memberIds = team.memberIds.filter((member) => !gone.has(member));
      if (memberIds.length === team.memberIds.length) continue;
      await this.directory.setMembers(change.tx, change.account, { id, memberIds });
      const after = teamForm({ name, memberIds }, directory);
      change.changed({ kind: 'team', id, name }, { before: teamForm(team, directory), after });
    }
  }

  private async leaveCapacities(
    change: ConfigurationChange,
    gone: GoneUsers,
    context: RouterContext,
  ): Promise<void> {
    for (const capacity of await this.capacities.list(change.tx, change.account)) {
      const { id, name } = capacity;
      const users = capacity.users.filter(({ userId }) => !gone.has(userId));
      if (users.length === capacity.users.length) continue;
      await this.capacities.setUsers(change.tx, change.account, { id, users });
      const after = capacityForm(Object.assign({}, capacity, { users }), context);
      change.changed({ kind: 'capacity', id, name }, { before: capacityForm(capacity, context), after });
    }
  }

  /**
   * What is live becomes the next version, where it lists one of them: a draft that was begun on what was
   * live is one of that. Else the draft alone changes.
   */
  private async leaveRouters(
    change: ConfigurationChange,
    gone: GoneUsers,
    { routers, directory }: RouterContext,
  ): Promise<void> {
    const note = `Without ${[...gone.values()].join(', ')}`;
    for (const router of routers) {
      const live = contentOf(router);
      const content = contentWithout(live, gone);
      if (router.published && content !== live) {
        const kept = router.draft ? contentWithout(router.draft, gone) : null;
        const isChanged = kept !== null && kept !== router.draft;
        const draft = isChanged ? { ...kept, updatedAt: new Date().toISOString() } : kept;
        await this.writer.goLive(change, directory, { router, content, draft, rebases: true, note });
        continue;
      }
      const pending = pendingContent(router);
      const left = contentWithout(pending, gone);
      if (left !== pending) await this.writer.saveDraft(change, directory, { router, content: left });
    }
  }
}

/**
 * Returns what a router has without users: not in its pool, in that of a rule or as the backup. Percentages
 * of the others grow in proportion. Returns the same object where the router lists none of them.
 */
function contentWithout<T extends RouterContent>(content: T, gone: GoneUsers): T {
  const settings = withoutUsers(content.settings, new Set(gone.keys()));
  const pool = poolWithout(content, ({ userId }) => gone.has(userId));
  if (pool.users.length < content.users.length) return { ...content, settings, ...pool };
  return settings === content.settings ? content : { ...content, settings };
}
