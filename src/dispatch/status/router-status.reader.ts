import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { AssignmentsRepository } from '../../assignments/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { creditToNumber, type CompiledRouter } from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { RouterStatuses, type RouterEntity, type RunningRouter } from '../../routers/index.js';
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

/** Says what routers do: what the log counts, how far rotations are from fair shares, what is wrong. */
@Injectable()
export class RouterStatusReader {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: RouterSnapshots,
    private readonly assignments: AssignmentsRepository,
    private readonly rotations: RotationsRepository,
    statuses: RouterStatuses,
  ) {
    statuses.register(
      (account, ids) => this.read(account, ids),
      (router, configured) => warningsOf(this.compiled(configured, router), configured),
    );
  }

  async read(account: AccountContext, ids: readonly string[]): Promise<Map<string, RunningRouter>> {
    const today = Math.floor(Date.now() / DAY) * DAY;
    const [configuration, day, week] = await Promise.all([
      this.configurations.use(account, (current) => Promise.resolve(current)),
      this.counts(account, ids, new Date(Date.now() - DAY)),
      this.counts(account, ids, new Date(today - 6 * DAY)),
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
    const largest = await this.rotations.largestCredits(this.database.for(account), account, keys);
    const statuses = new Map<string, RunningRouter>();
    for (const id of ids) {
      const [{ assigned, refused }, of7] = [day.get(id) ?? NONE, week.get(id) ?? NONE];
      const credit = largest.get(id);
      const router = compiled.get(id);
      statuses.set(id, {
        assigned,
        refused,
        assigned_7d: of7.assigned,
        refused_7d: of7.refused,
        deviation: credit === undefined ? null : creditToNumber(credit),
        warnings: router === undefined ? [] : warningsOf(router, configuration),
      });
      await breathe();
    }
    return statuses;
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
function rotationsOf({ plan }: CompiledRouter) {
  const stages = plan === null ? [] : [plan, ...plan.rules].flatMap((each) => each.stages);
  const rotations = stages
    .filter(({ model }) => model.usesCredit !== false)
    .map(({ rotationKey: key, pool }) => [key, { key, type: pool.rotationType }] as const);
  return [...new Map(rotations).values()];
}

/**
 * Says which parts of a router can assign nobody, as its pools are now.
 * @param router or why it cannot run
 */
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
