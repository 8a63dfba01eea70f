// What of the room only the HTTP service loads.
export { assignmentSchemas, TRACE_EXAMPLE } from './assignment.schemas.js';
export { AssignmentsModule } from './assignments.module.js';
