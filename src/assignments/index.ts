export { AssignmentLogModule } from './assignment-log.module.js';
export { AssignmentsRepository, NOTHING_ASSIGNED, type AssignedCounts } from './assignments.repository.js';
export { insertAssignments, insertTraces, newAssignments } from './assignments.sql.js';
export {
  ReturnedAssignmentsRepository,
  type HeldAssignment,
  type ReturnMinutes,
  type TakenObject,
  type TurnToReturn,
} from './returned/returned-assignments.repository.js';
export { insertReturned, markReturned, settleTurns, takenBack } from './returned/returned.sql.js';
export { AssignmentsService, type AssignmentQuery } from './assignments.service.js';
export type { AssignmentView } from './assignment-view.js';
export { LogGrowth } from './fold/log-growth.js';
export { LogCheck } from './fold/log-check.js';
export { LogDeleter } from './deletion/log-deleter.js';
