export { AssignmentLogModule } from './assignment-log.module.js';
export {
  AssignmentsRepository,
  type LastAssignment,
  type NewestRange,
  type OwnerChange,
  type ReturnMinutes,
  type TurnRow,
} from './assignments.repository.js';
export { returnAssignments, writeAssignments, type NewAssignment } from './assignments.sql.js';
export { AssignmentsService, type AssignmentQuery, type AssignmentView } from './assignments.service.js';
export { LogCheck } from './log-check.js';
