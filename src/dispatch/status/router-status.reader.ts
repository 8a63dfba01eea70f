import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { AssignmentsRepository } from '../../assignments/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { allStages, creditToNumber, type CompiledRouter } from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import { shownName } from '../../text/shown-name.js';
import { RotationsRepository } from '../rotations/rotations.repository.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';

const DAY = 86_400_000;
/** Most routers of which the log is counted, and most warnings of one. */
const MOST = 100_000;
const MOST_WARNINGS = 20;
const NONE = { assigned: 0, refused: 0 };

/** What a router is compiled with. */
type Configured = Pick<AccountConfiguration, 'catalog' | 'directory'>;

/** A router at a glance (contract section 6). */
export interface RouterStatus {
  /** Entries of the log of the last 24 hours; `assigned`: also where the record had that owner already. */
  readonly assigned: number;
  readonly refused: number;
  /** Those of seven days in UTC, of which today is the last. */
  readonly assigned_7d: number;
  readonly refused_7d: number;
  /** The largest credit of a member in one of its rotations, of either sign, in turns; null for none. */
  readonly deviation: number | null;
  /** What keeps it, or a rule or step of it, from assigning anybody. */
  readonly warnings: readonly string[];
  /** Since when a change waits for its publication; null where none does. */
  readonly draft: { readonly since: string } | null;
}

/** Says what routers do: what the log counts, how far rotations are from fair shares, what is wrong. */
@Injectable()
export class RouterStatusReader {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: RouterSnapshots,
    private readonly assignments: AssignmentsRepository,
    private readonly rotations: RotationsRepository,
    private readonly routers: RoutersRepository,
  ) {}

  /** Adds their status to the views of routers. */
  async addTo(account: AccountContext, views: readonly { readonly id: string }[]): Promise<void> {
    const ids = views.map(({ id }) => id);
    const db = this.database.for(account);
    const today = Math.floor(Date.now() / DAY) * DAY;
    const [configuration, day, week, drafts] = await Promise.all([
      this.configurations.use(account, (current) => current),
      this.counts(account, ids, new Date(Date.now() - DAY)),
      this.counts(account, ids, new Date(today - 6 * DAY)),
      db.read((reader) => this.routers.draftsSince(reader, account, ids)),
    ]);
    const compiled = new Map<string, CompiledRouter | string>();
    for (const id of ids) {
      const router = configuration.routers.get(id);
      if (router === undefined) continue;
      compiled.set(id, this.compiled(configuration, router));
      await breathe();
    }
    const keys = [...compiled].flatMap(([routerId, router]) =>
      typeof router === 'string' ? [] : rotationsOf(router).map((rotation) => ({ routerId, ...rotation })),
    );
    const largest = await this.rotations.largestCredits(db, account, keys);
    for (const view of views) {
      const { id } = view;
      const [{ assigned, refused }, of7] = [day.get(id) ?? NONE, week.get(id) ?? NONE];
      const credit = largest.get(id);
      const router = compiled.get(id);
      const since = drafts.get(id);
      const status: RouterStatus = {
        assigned,
        refused,
        assigned_7d: of7.assigned,
        refused_7d: of7.refused,
        deviation: credit === undefined ? null : creditToNumber(credit),
        warnings: router === undefined ? [] : warningsOf(router, configuration),
        draft: since === undefined ? null : { since },
      };
      Object.assign(view, { status });
      await breathe();
    }
  }

  /** Returns what keeps a router, or a part of it, from assigning anybody, as if it were published. */
  warningsOf(router: RouterEntity, configured: Configured): readonly string[] {
    return warningsOf(this.compiled(configured, router), configured);
  }

  /** Counts the entries of the log since an instant, by router. */
  private async counts(account: AccountContext, ids: readonly string[], from: Date) {
    const [only] = ids;
    const filters = new Map(only !== undefined && ids.length === 1 ? [['router', only] as const] : []);
    const asked = { by: 'router', most: MOST, filters, range: { from } } as const;
    const rows = await this.assignments.summarize(this.database.for(account), account, asked);
    return new Map(rows.map(({ value, ...counts }) => [value, counts]));
  }

  /** Returns a router, or why it cannot run. */
  private compiled(configured: Configured, router: RouterEntity): CompiledRouter | string {
    try {
      return this.snapshots.compile(configured, router);
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }
}

/** The keys of the rotations of a router that count credit, each with how its turns are taken. */
function rotationsOf(router: CompiledRouter) {
  const rotations = allStages(router)
    .filter(({ model }) => model.usesCredit !== false)
    .map(({ rotationKey: key, pool }) => [key, { key, type: pool.rotationType }] as const);
  return [...new Map(rotations).values()];
}

/** The parts of a router that can assign nobody, as its pools are now. @param router or why it cannot run */
function warningsOf(router: CompiledRouter | string, { directory }: Configured): string[] {
  if (typeof router === 'string') return [router];
  const { plan } = router;
  if (plan === null) return [];
  const parts = [{ name: '', stages: plan.stages }, ...plan.rules];
  const found = parts.flatMap(({ name, stages }) =>
    stages.flatMap(({ place, pool: { emails } }) => {
      if (emails.some((email) => directory.users.get(email)?.available === true)) return [];
      const whole = name === '' ? 'the router' : `the rule ${shownName(name)}`;
      const pools = place === 0 ? `the pool of ${whole}` : `step ${place} of ${whole}`;
      const isEmpty = !emails.some((email) => directory.users.has(email));
      return [`${isEmpty ? 'Nobody is in' : 'Everybody is switched off in'} ${pools}`];
    }),
  );
  const backup = plan.settings.defaultUser;
  if (backup !== null && !directory.users.has(backup))
    found.push('The backup user is no user of the account');
  return found.slice(0, MOST_WARNINGS);
}
