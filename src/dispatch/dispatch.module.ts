import { Module } from '@nestjs/common';
import { accountShares, AccountsModule } from '../accounts/index.js';
import { AssignmentLogModule } from '../assignments/index.js';
import { ConfigurationModule } from '../configuration/index.js';
import { FieldsModule } from '../fields/index.js';
import { MetricsModule } from '../metrics/metrics.js';
import { RecordHooks, RecordsModule } from '../records/index.js';
import { RoutersModule } from '../routers/index.js';
import { AccountMatcher } from './decision/account-matcher.js';
import { Decider } from './decision/decider.js';
import { WorkloadReader } from './decision/workload-reader.js';
import { DispatchService } from './dispatch.service.js';
import { DispatchQueue, DISPATCH_SHARES, HELD_SHARES } from './queue/dispatch-queue.js';
import { FairnessService } from './fairness/fairness.service.js';
import { ReturnedTurns } from './returned-turns/returned-turns.js';
import { RotationsRepository } from './rotations/rotations.repository.js';
import { Rehearsals } from './simulation/rehearsals.js';
import { ReplayService } from './simulation/replay.service.js';
import { SimulationService } from './simulation/simulation.service.js';
import { VersionSnapshots } from './simulation/version-snapshots.js';
import { RouterStatusReader } from './status/router-status.reader.js';
import { UserNowReader } from './status/user-now.reader.js';
import { RouterSnapshots } from './snapshot/router-snapshots.js';
import { AssignmentHooks } from './transaction/assignment-hooks.js';
import { AssignmentWriter } from './transaction/assignment-writer.js';
import { DecisionMetrics } from './transaction/decision-metrics.js';
import { DispatchLoader } from './transaction/dispatch-loader.js';
import { DispatchRunner } from './transaction/dispatch-runner.js';

/**
 * Parts of the connections that dispatches of one account may use while others are active, and while none is:
 * one connection for what they share, and some for those that wait for records.
 */
const PARTS = { together: { shared: 0, alone: 0 }, held: { shared: 1 / 10, alone: 3 / 20 } };

const PROVIDERS = [
  AccountMatcher,
  AssignmentHooks,
  AssignmentWriter,
  Decider,
  DecisionMetrics,
  DispatchLoader,
  DispatchQueue,
  DispatchRunner,
  DispatchService,
  FairnessService,
  Rehearsals,
  ReplayService,
  ReturnedTurns,
  RotationsRepository,
  RouterSnapshots,
  RouterStatusReader,
  SimulationService,
  UserNowReader,
  VersionSnapshots,
  WorkloadReader,
  accountShares(DISPATCH_SHARES, PARTS.together),
  accountShares(HELD_SHARES, PARTS.held),
];

@Module({
  imports: [
    AccountsModule,
    AssignmentLogModule,
    ConfigurationModule,
    FieldsModule,
    MetricsModule,
    RecordsModule,
    RoutersModule,
  ],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class DispatchModule {
  constructor(hooks: RecordHooks, returnedTurns: ReturnedTurns) {
    hooks.register(returnedTurns);
  }
}
