export { AssignmentLogModule } from './assignment-log.module.js';
export {
  AssignmentsRepository,
  type NewestRange,
  type TurnRow,
  type TurnStep,
} from './assignments.repository.js';
export { returnAssignments, writeAssignments, type NewAssignment } from './assignments.sql.js';
export {
  ReturnedAssignmentsRepository,
  type LastAssignment,
  type OwnerChange,
  type ReturnMinutes,
  type TurnToReturn,
} from './returned-assignments.repository.js';
export { AssignmentsService, type AssignmentQuery, type AssignmentView } from './assignments.service.js';
export { LogCheck } from './log-check.js';
