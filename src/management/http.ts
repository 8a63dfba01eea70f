// What of the room only the HTTP service loads.
export { ManagementHttpModule, managementSchemas } from './management-http.module.js';
export { routerSchemas } from './routers/router.schemas.js';
