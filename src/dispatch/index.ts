export { DispatchModule } from './dispatch.module.js';
export { dispatchSchemas } from './dispatch.schemas.js';
