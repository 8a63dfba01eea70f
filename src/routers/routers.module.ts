import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/index.js';
import {
  AssignmentEngine,
  type DistributionModel,
  type EligibilityCheck,
  type TriggerOperator,
} from '../engine/index.js';
import { FieldsModule } from '../fields/index.js';
import { RouterValidator } from './router-validator.js';
import { RouterVersionsRepository } from './router-versions.repository.js';
import { RoutersRepository } from './routers.repository.js';
import { DISTRIBUTION_MODELS, ELIGIBILITY_CHECKS, TRIGGER_OPERATORS } from './routing-extensions.js';

@Module({
  imports: [DirectoryModule, FieldsModule],
  providers: [
    RouterVersionsRepository,
    RoutersRepository,
    RouterValidator,
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
  exports: [AssignmentEngine, RoutersRepository, RouterValidator, RouterVersionsRepository],
})
export class RoutersModule {}
