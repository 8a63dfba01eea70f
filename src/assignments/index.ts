export { assignmentSchemas } from './assignment.schemas.js';
export { AssignmentsModule } from './assignments.module.js';
