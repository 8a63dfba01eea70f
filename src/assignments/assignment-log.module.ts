import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { DirectoryModule } from '../directory/index.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { AssignmentsService } from './assignments.service.js';
import { LogCheck } from './log-check.js';

const PROVIDERS = [AssignmentsRepository, AssignmentsService, LogCheck];

/** The assignment log without its routes and its retention. */
@Module({ imports: [AccountsModule, DirectoryModule], providers: PROVIDERS, exports: PROVIDERS })
export class AssignmentLogModule {}
