import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AssignmentLogModule } from './assignment-log.module.js';
import { AssignmentsController } from './assignments.controller.js';
import { TracePruner } from './trace-pruner.js';

@Module({
  imports: [AccountsModule, AssignmentLogModule],
  controllers: [AssignmentsController],
  providers: [TracePruner],
  exports: [AssignmentLogModule],
})
export class AssignmentsModule {}
