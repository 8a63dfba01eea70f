import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AssignmentLogModule } from './assignment-log.module.js';
import { AssignmentsController } from './assignments.controller.js';
import { ASSIGNMENTS_OPTIONS, type AssignmentsOptions } from './assignments.options.js';
import { AssignmentsService } from './assignments.service.js';
import { TracePruner } from './trace-pruner.js';

@Module({})
export class AssignmentsModule {
  static forRoot(options: AssignmentsOptions): DynamicModule {
    return {
      module: AssignmentsModule,
      imports: [AccountsModule, AssignmentLogModule],
      controllers: [AssignmentsController],
      providers: [AssignmentsService, TracePruner, { provide: ASSIGNMENTS_OPTIONS, useValue: options }],
    };
  }
}
