import { Injectable } from '@nestjs/common';
import type { UserEntity } from '../../directory/index.js';
import { poolWithout } from '../../engine/index.js';
import {
  contentOf,
  pendingContent,
  withoutUsers,
  type RouterContent,
  type RouterEntity,
} from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { RouterWriter, type RoutersChange } from '../routers/router-writer.js';
import { CapacitiesKind } from './capacities.kind.js';
import { TeamsKind } from './teams.kind.js';

/** The e-mails of users who leave, by id. */
type GoneUsers = ReadonlyMap<string, string>;

/**
 * Takes users who are to be archived out of teams, capacities and routers. So these name active users only,
 * can be published and applied again, and do not list anybody who becomes active again later.
 */
@Injectable()
export class UserRemoval {
  constructor(
    private readonly teams: TeamsKind,
    private readonly capacities: CapacitiesKind,
    private readonly writer: RouterWriter,
  ) {}

  /** @param users active ones. What changes of others is noted. */
  async remove(change: ConfigurationChange, users: readonly UserEntity[]): Promise<void> {
    const gone = new Map(users.map(({ id, email }) => [id, email]));
    await this.teams.rewrite(change, ({ memberIds }) => ({
      memberIds: memberIds.filter((id) => !gone.has(id)),
    }));
    await this.capacities.rewrite(change, ({ users: listed }) => ({
      users: listed.filter(({ userId }) => !gone.has(userId)),
    }));
    const routers = await this.writer.open(change);
    for (const router of routers.context.routers) await leaveRouter(routers, router, gone);
  }
}

/**
 * What is live becomes the next version, where it lists one of the users: a draft that was begun on what was
 * live is one of that. Else the draft alone changes.
 */
async function leaveRouter(routers: RoutersChange, router: RouterEntity, gone: GoneUsers): Promise<void> {
  const live = contentOf(router);
  const content = contentWithout(live, gone);
  if (router.published && content !== live) {
    const kept = router.draft ? contentWithout(router.draft, gone) : null;
    const isChanged = kept !== null && kept !== router.draft;
    const draft = isChanged ? { ...kept, updatedAt: new Date().toISOString() } : kept;
    const note = `Without ${[...gone.values()].join(', ')}`;
    return routers.goLive({ router, content, draft, rebases: true, note });
  }
  const pending = pendingContent(router);
  const left = contentWithout(pending, gone);
  if (left !== pending) await routers.saveDraft({ router, content: left });
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
