import { Module } from '@nestjs/common';
import { AssignmentsController } from './assignments.controller.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { AssignmentsService } from './assignments.service.js';

@Module({
  controllers: [AssignmentsController],
  providers: [AssignmentsRepository, AssignmentsService],
})
export class AssignmentsModule {}
