import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/index.js';
import { FieldsModule } from '../fields/index.js';
import {
  DISTRIBUTION_MODELS,
  ELIGIBILITY_CHECKS,
  RoutersModule,
  TRIGGER_OPERATORS,
} from '../routers/index.js';
import { AccountMatcher } from './decision/account-matcher.js';
import { CircumstancesLoader } from './decision/circumstances.loader.js';
import { RouterSnapshots } from './snapshot/router-snapshots.js';
import { DispatchDecider } from './decision/dispatch-decider.js';
import { WorkloadRepository } from './decision/workload.repository.js';
import { WorkloadsLoader } from './decision/workloads.loader.js';
import { ReturnedTurnsRepository } from './returned-turns/returned-turns.repository.js';
import { ReturnedTurns } from './returned-turns/returned-turns.js';
import { ReplayService } from './simulation/replay.service.js';
import { SimulationService } from './simulation/simulation.service.js';
import { DispatchQueue } from './queue/dispatch-queue.js';
import { DispatchRunner } from './transaction/dispatch-runner.js';
import { DispatchController } from './dispatch.controller.js';
import { DispatchRepository } from './transaction/dispatch.repository.js';
import { DispatchService } from './dispatch.service.js';
import {
  AssignmentEngine,
  BUILTIN_CHECKS,
  type DistributionModel,
  type EligibilityCheck,
  type TriggerOperator,
} from '../engine/index.js';

@Module({
  imports: [ConfigurationModule, FieldsModule, RoutersModule],
  controllers: [DispatchController],
  providers: [
    AccountMatcher,
    CircumstancesLoader,
    RouterSnapshots,
    DispatchDecider,
    DispatchQueue,
    DispatchRepository,
    DispatchRunner,
    DispatchService,
    ReturnedTurnsRepository,
    ReturnedTurns,
    ReplayService,
    SimulationService,
    WorkloadRepository,
    WorkloadsLoader,
    { provide: ELIGIBILITY_CHECKS, useValue: BUILTIN_CHECKS },
    {
      provide: AssignmentEngine,
      inject: [TRIGGER_OPERATORS, DISTRIBUTION_MODELS, ELIGIBILITY_CHECKS],
      useFactory: (
        operators: readonly TriggerOperator[],
        models: readonly DistributionModel[],
        checks: readonly EligibilityCheck[],
      ) => new AssignmentEngine({ operators, models, checks }),
    },
  ],
  exports: [ReturnedTurns],
})
export class DispatchModule {}
