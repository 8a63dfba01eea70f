import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Queryable } from '../../database/index.js';
import type { RouterEntity } from '../../routers/index.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import { DispatchDecider, scopeOf, type Circumstances, type Prepared } from './dispatch-decider.js';
import { DispatchRepository, type LoadedDispatch } from '../transaction/dispatch.repository.js';
import { decodeRotationState, workloadsWith } from '../../engine/index.js';
import { WorkloadsLoader, type Moment } from './workloads.loader.js';

/** Loads what the decisions on prepared records need besides the records: rotations of rules, and workloads. */
@Injectable()
export class CircumstancesLoader {
  constructor(
    private readonly dispatches: DispatchRepository,
    private readonly workloads: WorkloadsLoader,
    private readonly routers: RouterSnapshots,
    private readonly decider: DispatchDecider,
  ) {}

  async load(
    db: Queryable,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    { rotation }: Pick<LoadedDispatch, 'rotation'>,
    prepared: readonly Prepared[],
    moment: Moment,
  ): Promise<Circumstances> {
    const scopes = new Set(prepared.map(({ routed }) => scopeOf(routed)).filter((scope) => scope !== ''));
    const ownership = {
      objectType: router.objectType,
      ownerField: this.decider.ownerField(configuration, router),
    };
    const capacities = this.routers.capacities(configuration);
    const needs = prepared.map((each) => each.needs);
    const [stored, workloads] = await Promise.all([
      this.dispatches.loadRotations(db, account, router.id, [...scopes]),
      this.workloads.load(db, account, ownership, configuration.directory, capacities, needs, moment),
    ]);
    const rotations = new Map([...stored, ['', rotation] as const]);
    return {
      rotations: new Map([...rotations].map(([scope, state]) => [scope, decodeRotationState(state, scope)])),
      workloads,
      at: moment.at,
    };
  }

  /**
   * As `load`, for records that do not exist: whoever is their owner has them already. Who keeps or loses a record is
   * weighed without it, which takes it from a count that it must be in.
   */
  async imagine(
    db: Queryable,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    loaded: Pick<LoadedDispatch, 'rotation'>,
    imagined: readonly Prepared[],
    moment: Moment,
  ): Promise<Circumstances> {
    const circumstances = await this.load(db, account, configuration, router, loaded, imagined, moment);
    const records = imagined.map(({ dispatched }) => dispatched);
    const ownerField = this.decider.ownerField(configuration, router);
    const capacities = this.routers.capacities(configuration);
    return {
      ...circumstances,
      workloads: workloadsWith(circumstances.workloads, records, { ownerField, capacities }),
    };
  }
}
