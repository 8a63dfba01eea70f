import { Module } from '@nestjs/common';
import { AssignmentsRepository } from './assignments.repository.js';

/** The table of the assignment log, without its routes and its pruning. */
@Module({ providers: [AssignmentsRepository], exports: [AssignmentsRepository] })
export class AssignmentLogModule {}
