export { assignmentSchemas } from './assignment.schemas.js';
export { AssignmentsModule } from './assignments.module.js';
export type { AssignmentsOptions } from './assignments.options.js';
export { TracePruner } from './trace-pruner.js';
