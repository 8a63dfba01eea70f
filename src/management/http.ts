// What of the room only the HTTP service loads.
export { ManagementHttpModule } from './management-http.module.js';
export { managementSchemas } from './management.schemas.js';
