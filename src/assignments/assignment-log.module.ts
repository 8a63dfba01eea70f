import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/index.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { AssignmentsService } from './assignments.service.js';
import { LogDeleter } from './deletion/log-deleter.js';
import { LogDeletionsRepository } from './deletion/log-deletions.repository.js';
import { LogCheck } from './fold/log-check.js';
import { LogChecksRepository } from './fold/log-checks.repository.js';
import { LogFoldsRepository } from './fold/log-folds.repository.js';
import { LogGrowth } from './fold/log-growth.js';
import { ReturnedAssignmentsRepository } from './returned/returned-assignments.repository.js';

/** The assignment log without its routes, its pruning and its folding. */
@Module({
  imports: [DirectoryModule],
  providers: [
    AssignmentsRepository,
    AssignmentsService,
    LogCheck,
    LogChecksRepository,
    LogDeleter,
    LogDeletionsRepository,
    LogFoldsRepository,
    LogGrowth,
    ReturnedAssignmentsRepository,
  ],
  exports: [
    AssignmentsRepository,
    AssignmentsService,
    LogCheck,
    LogDeleter,
    LogFoldsRepository,
    LogGrowth,
    ReturnedAssignmentsRepository,
  ],
})
export class AssignmentLogModule {}
