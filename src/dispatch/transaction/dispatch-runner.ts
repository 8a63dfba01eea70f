import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import type { RouterEntity } from '../../routers/index.js';
import { CircumstancesLoader } from '../decision/circumstances.loader.js';
import { DispatchDecider, type Decided, type Decisions } from '../decision/dispatch-decider.js';
import { requireDispatchable, type StoredRecord } from '../decision/stored-record.js';
import { assignedAt, assignedResult, notAssignedResult } from './dispatch-result.js';
import { DispatchRepository, type Run } from './dispatch.repository.js';
import { encodeRotationState } from '../../engine/index.js';
import { attempt, type Outcome } from './outcome.js';
import { WorkloadsLoader } from '../decision/workloads.loader.js';

/** A record that can be decided on, or why not. */
type Candidate = { objectId: string } & ({ record: StoredRecord } | { outcome: Outcome });

/**
 * Runs one router on records, one after the other, in one transaction under the router's lock. Statements that need no
 * answer before the next are sent together: the locks and what is read under them, the writes and COMMIT.
 */
@Injectable()
export class DispatchRunner {
  constructor(
    private readonly database: Database,
    private readonly dispatches: DispatchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly decider: DispatchDecider,
    private readonly circumstances: CircumstancesLoader,
    private readonly workloads: WorkloadsLoader,
  ) {}

  /**
   * Decides on each record in the order given, and commits once.
   * @param objectIds well-formed, each once
   * @returns an outcome for each, in the same order
   * @throws 404 for an unknown or archived router
   */
  run(account: AccountContext, routerId: string, objectIds: readonly string[]): Promise<Outcome[]> {
    return this.configurations.use(account, (configuration) => {
      const router = configuration.routers.get(routerId);
      if (router === undefined) throw notFound('Router not found');
      return this.database.transaction((tx) => this.runIn(tx, account, configuration, router, objectIds), {
        eager: true,
      });
    });
  }

  private async runIn(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    objectIds: readonly string[],
  ): Promise<Outcome[] | typeof OUTDATED> {
    const [, loaded] = await Promise.all([
      this.dispatches.lockRouter(tx, account, router.id),
      this.dispatches.load(tx, account, router.id, objectIds),
    ]);
    if (loaded === undefined) return OUTDATED;
    if (loaded.version !== configuration.version) {
      configuration = await this.configurations.reload(tx, account);
      const current = configuration.routers.get(router.id);
      if (current === undefined) throw notFound('Router not found');
      router = current;
    }
    const candidates = objectIds.map((objectId): Candidate => {
      const checked = attempt(() => requireDispatchable(loaded.records.get(objectId), router.objectType));
      return checked.ok ? { objectId, record: checked.value } : { objectId, outcome: checked };
    });
    const records = candidates.flatMap((candidate) => ('record' in candidate ? [candidate.record] : []));
    const prepared = await this.decider.prepare(tx, account, configuration, router, records);
    const users = this.workloads.usersOf(prepared.map(({ needs }) => needs));
    const moment = { at: loaded.at, until: null };
    const [, circumstances] = await Promise.all([
      users.length > 0 ? this.workloads.lock(tx, account, users) : undefined,
      this.circumstances.load(tx, account, configuration, router, loaded, prepared, moment),
    ]);
    const decisions = this.decider.decide(configuration, router, prepared, circumstances);
    const results = await this.write(tx, account, configuration, router, loaded.at, decisions);
    return candidates.map((candidate) =>
      'outcome' in candidate ? candidate.outcome : resultOf(results, candidate.objectId),
    );
  }

  private async write(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    at: Date,
    { decided, rotations }: Decisions,
  ): Promise<ReadonlyMap<string, Outcome>> {
    if (decided.length === 0) return new Map();
    const ownerField = this.decider.ownerField(configuration, router);
    const when = assignedAt(at);
    const ids = await this.dispatches.write(tx, account, {
      routerId: router.id,
      objectType: router.objectType,
      ownerField,
      runs: decided.map((one) => logEntry(one, ownerField)),
      rotations: [...rotations].map(([key, state]) => ({ key, state: encodeRotationState(state, key) })),
      at,
    });
    return new Map(
      decided.map(({ record, decision }): [string, Outcome] => {
        const result = decision.assigned
          ? assignedResult(decision, when, ids.get(record.id) ?? '')
          : notAssignedResult(decision);
        return [record.id, { ok: true, result }];
      }),
    );
  }
}

function logEntry({ record: { id, fields }, decision }: Decided, ownerField: string): Run {
  const { reason, message, trace } = decision;
  const user = decision.assigned ? decision.user : null;
  const given = decision.assigned ? decision.turn : null;
  const turn = given === null ? null : { scope: given.rotationKey, team: given.team };
  return { object_id: id, user, previous_user: fields[ownerField] ?? null, reason, message, trace, turn };
}

function resultOf(results: ReadonlyMap<string, Outcome>, objectId: string): Outcome {
  const result = results.get(objectId);
  if (result === undefined) throw new Error('A record was decided on but has no result');
  return result;
}
