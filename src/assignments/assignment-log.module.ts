import { Module } from '@nestjs/common';
import { AssignmentsRepository } from './assignments.repository.js';

/** The table of the assignment log, without its routes and without the job that drops traces. */
@Module({ providers: [AssignmentsRepository], exports: [AssignmentsRepository] })
export class AssignmentLogModule {}
