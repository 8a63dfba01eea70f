import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Queryable } from '../../database/index.js';
import { OBJECT_TYPE_RULES } from '../../fields/index.js';
import type { RouterEntity } from '../../routers/index.js';
import { AccountMatcher } from './account-matcher.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import { valueOf, type StoredRecord } from './stored-record.js';
import {
  AssignmentEngine,
  workloadsAfter,
  type Decision,
  type RequiredWorkloads,
  type RecordInput,
  type MatchedOwner,
  type RotationState,
  type Routed,
  type Workloads,
} from '../../engine/index.js';

/** A record on its way to a decision. */
export interface Prepared {
  readonly record: StoredRecord;
  readonly dispatched: RecordInput;
  /** The refusal, or the pool that gets the record. */
  readonly routed: Routed;
  readonly matchedOwner: MatchedOwner | null;
  readonly needs: RequiredWorkloads;
}

/** What was decided on one record. */
export interface Decided {
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** What decisions are made on besides the configuration and the records. */
export interface Circumstances {
  /** By key: empty for the router's own rotation, `rule:<name>` for a rule's. */
  readonly rotations: ReadonlyMap<string, RotationState>;
  readonly workloads: Workloads;
  readonly at: Date;
}

/** Decisions on several records, the rotations that moved, by key, and the workloads after them. */
export interface Decisions {
  readonly decided: readonly Decided[];
  readonly rotations: ReadonlyMap<string, RotationState>;
  readonly workloads: Workloads;
}

/** Takes records through the engine: first to the pool that gets them, then, with what that pool needs, to a decision. */
@Injectable()
export class DispatchDecider {
  constructor(
    private readonly engine: AssignmentEngine,
    private readonly routers: RouterSnapshots,
    private readonly matcher: AccountMatcher,
  ) {}

  /** Finds the pool of each record, the companies that match, and whose workloads the decisions will need. */
  async prepare(
    db: Queryable,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    records: readonly StoredRecord[],
  ): Promise<Prepared[]> {
    const compiled = this.routers.get(configuration, router);
    const capacities = this.routers.capacities(configuration);
    const { users } = configuration.directory;
    const matched = await this.matcher.match(db, account, router, records);
    return records.map((record) => {
      const dispatched = asDispatched(record);
      const routed = this.engine.route(compiled, dispatched);
      const matchedOwner = matched.get(record.id) ?? null;
      const needs = this.engine.requiredWorkloads(routed, {
        record: dispatched,
        users,
        matchedOwner,
        capacities,
      });
      return { record, dispatched, routed, matchedOwner, needs };
    });
  }

  /** Decides on one record after the other: each sees the rotation and the workloads that the one before left. */
  decide(
    configuration: AccountConfiguration,
    router: RouterEntity,
    prepared: readonly Prepared[],
    circumstances: Circumstances,
  ): Decisions {
    const { users } = configuration.directory;
    const capacities = this.routers.capacities(configuration);
    const ownerField = this.ownerField(configuration, router);
    const rotations = new Map<string, RotationState>();
    let { workloads } = circumstances;
    const decided = prepared.map(({ record, dispatched, routed, matchedOwner }): Decided => {
      const scope = scopeOf(routed);
      const decision = this.engine.decide(routed, {
        record: dispatched,
        users,
        matchedOwner,
        rotation: rotations.get(scope) ?? circumstances.rotations.get(scope) ?? NEW_ROTATION,
        at: circumstances.at,
        workloads,
        capacities,
      });
      if (decision.assigned) {
        if (decision.rotation !== null) rotations.set(scope, decision.rotation);
        workloads = workloadsAfter(
          workloads,
          { record: dispatched, ownerField, owner: decision.user },
          capacities,
        );
      }
      return { record, decision };
    });
    return { decided, rotations, workloads };
  }

  /** The owner field of a router, whether it has settings or not. */
  ownerField(configuration: AccountConfiguration, router: RouterEntity): string {
    const { plan } = this.routers.get(configuration, router);
    return plan === null ? OBJECT_TYPE_RULES[router.objectType].ownerField : plan.settings.ownerField;
  }
}

/** Of a rotation that never gave a turn. */
const NEW_ROTATION: RotationState = { seq: 0, ledgers: new Map() };

/** The key of the rotation that a routed record takes its turn from. */
export function scopeOf(routed: Routed): string {
  return routed.refused ? '' : routed.rotationKey;
}

function asDispatched(record: StoredRecord): RecordInput {
  const { id, object_type: objectType } = record;
  return { id, objectType, get: (name) => valueOf(record, name) };
}
