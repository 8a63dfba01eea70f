import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AssignmentLogModule } from './assignment-log.module.js';
import { AssignmentsController } from './assignments.controller.js';
import { LogSweep } from './log-sweep.js';

@Module({
  imports: [AccountsModule, AssignmentLogModule],
  controllers: [AssignmentsController],
  providers: [LogSweep],
  exports: [AssignmentLogModule],
})
export class AssignmentsModule {}
