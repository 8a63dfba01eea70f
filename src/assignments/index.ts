export { AssignmentLogModule } from './assignment-log.module.js';
export { assignmentSchemas } from './assignment.schemas.js';
export { AssignmentsModule } from './assignments.module.js';
export type { AssignmentsOptions } from './assignments.options.js';
export { AssignmentsRepository, type AssignedCounts, type LastTurn } from './assignments.repository.js';
export { insertAssignments, newAssignments } from './assignments.sql.js';
export { TracePruner } from './trace-pruner.js';
