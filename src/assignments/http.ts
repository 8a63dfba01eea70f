// What of the room only the HTTP service loads.
export { assignmentSchemas } from './assignment.schemas.js';
export { AssignmentsModule } from './assignments.module.js';
export { TracePruner } from './trace-pruner.js';
