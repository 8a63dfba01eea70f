import { Module } from '@nestjs/common';
import { AssignmentsRepository } from './assignments.repository.js';
import { AssignmentsService } from './assignments.service.js';

/** The assignment log without its routes and its pruning. */
@Module({
  providers: [AssignmentsRepository, AssignmentsService],
  exports: [AssignmentsRepository, AssignmentsService],
})
export class AssignmentLogModule {}
