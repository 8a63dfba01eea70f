// What of the room only the HTTP service loads.
export { TRACE_EXAMPLE } from './assignment.example.js';
export { assignmentSchemas } from './assignment.schemas.js';
export { AssignmentsModule } from './assignments.module.js';
