import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AssignmentLogModule } from './assignment-log.module.js';
import { AssignmentsController } from './assignments.controller.js';
import { LogFolder } from './fold/log-folder.js';
import { LogMonths } from './months/log-months.js';
import { LogMonthsRepository } from './months/log-months.repository.js';
import { MonthDropper } from './months/month-dropper.js';
import { MonthMaker } from './months/month-maker.js';
import { TracePruner } from './trace-pruner.js';

@Module({
  imports: [AccountsModule, AssignmentLogModule],
  controllers: [AssignmentsController],
  providers: [LogFolder, LogMonths, LogMonthsRepository, MonthDropper, MonthMaker, TracePruner],
  exports: [AssignmentLogModule],
})
export class AssignmentsModule {}
