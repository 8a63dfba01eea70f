import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, type Transaction } from '../database/index.js';
import { notFound } from '../errors/errors.js';
import { OBJECT_TYPE_RULES } from '../fields/index.js';
import type { RouterEntity } from '../routers/index.js';
import { AccountMatcher } from './account-matcher.js';
import { CompiledRouters } from './compiled-routers.js';
import { requireDispatchable, valueOf, type DispatchRecord } from './dispatch-record.js';
import { assignedResult, notAssignedResult } from './dispatch-result.js';
import { DispatchRepository, type LoadedDispatch, type Run } from './dispatch.repository.js';
import {
  AssignmentEngine,
  decodeRotationState,
  encodeRotationState,
  type Decision,
  type MatchedOwner,
} from './engine/index.js';
import { attempt, type Outcome } from './outcome.js';

/** The key of the rotation of a router's own pool. */
const OWN_ROTATION = '';

/** A record that can be decided on, or why not. */
type Candidate = { objectId: string } & ({ record: DispatchRecord } | { outcome: Outcome });

/** Runs one router on records, one after the other, in one transaction under the router's lock. */
@Injectable()
export class DispatchRunner {
  constructor(
    private readonly database: Database,
    private readonly dispatches: DispatchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly routers: CompiledRouters,
    private readonly engine: AssignmentEngine,
    private readonly matcher: AccountMatcher,
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
      return this.database.transaction((tx) => this.runIn(tx, account, configuration, router, objectIds));
    });
  }

  private async runIn(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    objectIds: readonly string[],
  ): Promise<Outcome[] | typeof OUTDATED> {
    await this.dispatches.lockRouter(tx, account, router.id);
    const loaded = await this.dispatches.load(tx, account, router.id, objectIds);
    if (loaded?.version !== configuration.version) return OUTDATED;
    const candidates = objectIds.map((objectId): Candidate => {
      const checked = attempt(() => requireDispatchable(loaded.records.get(objectId), router.objectType));
      return checked.ok ? { objectId, record: checked.value } : { objectId, outcome: checked };
    });
    const records = candidates.flatMap((candidate) => ('record' in candidate ? [candidate.record] : []));
    const matched = await this.matcher.match(tx, account, router, records);
    const decided = this.decide(configuration, router, loaded, records, matched);
    const results = await this.write(tx, account, configuration, router, loaded.at, decided);
    return candidates.map((candidate) =>
      'outcome' in candidate ? candidate.outcome : resultOf(results, candidate.objectId),
    );
  }

  /** Decides on one record after the other, each on the rotation that the one before left. */
  private decide(
    configuration: AccountConfiguration,
    router: RouterEntity,
    { rotation, at }: LoadedDispatch,
    records: readonly DispatchRecord[],
    matched: ReadonlyMap<string, MatchedOwner>,
  ): { record: DispatchRecord; decision: Decision }[] {
    const compiled = this.routers.get(configuration, router);
    let state = decodeRotationState(rotation);
    return records.map((record) => {
      const decision = this.engine.decide(compiled, {
        record: {
          id: record.id,
          objectType: record.object_type,
          archived: false,
          get: (name) => valueOf(record, name),
        },
        users: configuration.directory.users,
        matchedOwner: matched.get(record.id) ?? null,
        rotation: state,
        at,
      });
      if (decision.assigned && decision.rotation !== null) state = decision.rotation;
      return { record, decision };
    });
  }

  private async write(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    at: Date,
    decided: readonly { record: DispatchRecord; decision: Decision }[],
  ): Promise<ReadonlyMap<string, Outcome>> {
    if (decided.length === 0) return new Map();
    const settings = this.routers.get(configuration, router).plan?.settings;
    const ownerField = settings?.ownerField ?? OBJECT_TYPE_RULES[router.objectType].ownerField;
    const moved = decided.flatMap(({ decision }) =>
      decision.assigned && decision.rotation !== null ? [decision.rotation] : [],
    );
    const last = moved.at(-1);
    const ids = await this.dispatches.write(tx, account, {
      routerId: router.id,
      objectType: router.objectType,
      ownerField,
      runs: decided.map(({ record, decision }) => logEntry(record, decision, ownerField)),
      rotations: last === undefined ? [] : [{ key: OWN_ROTATION, state: encodeRotationState(last) }],
      at,
    });
    return new Map(
      decided.map(({ record, decision }): [string, Outcome] => {
        const result = decision.assigned
          ? assignedResult(decision, at, ids.get(record.id) ?? '')
          : notAssignedResult(decision);
        return [record.id, { ok: true, result }];
      }),
    );
  }
}

function logEntry({ id, fields }: DispatchRecord, decision: Decision, ownerField: string): Run {
  const { reason, message, trace } = decision;
  const user = decision.assigned ? decision.user : null;
  return { object_id: id, user, previous_user: fields[ownerField] ?? null, reason, message, trace };
}

function resultOf(results: ReadonlyMap<string, Outcome>, objectId: string): Outcome {
  const result = results.get(objectId);
  if (result === undefined) throw new Error('A record was decided on but has no result');
  return result;
}
