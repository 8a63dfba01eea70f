import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/index.js';
import { FieldsModule } from '../fields/index.js';
import {
  DISTRIBUTION_MODELS,
  ELIGIBILITY_CHECKS,
  RoutersModule,
  TRIGGER_OPERATORS,
} from '../routers/index.js';
import { AccountMatcher } from './account-matcher.js';
import { CircumstancesLoader } from './circumstances.loader.js';
import { CompiledRouters } from './compiled-routers.js';
import { DispatchDecider } from './dispatch-decider.js';
import { WorkloadRepository } from './workload.repository.js';
import { WorkloadsLoader } from './workloads.loader.js';
import { ReimbursementRepository } from './reimbursement.repository.js';
import { ReimbursementService } from './reimbursement.service.js';
import { ReplayService } from './replay.service.js';
import { SimulationService } from './simulation.service.js';
import { DispatchQueue } from './dispatch-queue.js';
import { DispatchRunner } from './dispatch-runner.js';
import { DispatchController } from './dispatch.controller.js';
import { DispatchRepository } from './dispatch.repository.js';
import { DispatchService } from './dispatch.service.js';
import {
  AssignmentEngine,
  BUILTIN_CHECKS,
  type DistributionModel,
  type EligibilityCheck,
  type TriggerOperator,
} from './engine/index.js';

@Module({
  imports: [ConfigurationModule, FieldsModule, RoutersModule],
  controllers: [DispatchController],
  providers: [
    AccountMatcher,
    CircumstancesLoader,
    CompiledRouters,
    DispatchDecider,
    DispatchQueue,
    DispatchRepository,
    DispatchRunner,
    DispatchService,
    ReimbursementRepository,
    ReimbursementService,
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
  exports: [ReimbursementService],
})
export class DispatchModule {}
