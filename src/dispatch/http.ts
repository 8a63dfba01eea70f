// What of the room only the HTTP service loads.
export { DispatchHttpModule } from './dispatch-http.module.js';
export { dispatchSchemas } from './dispatch.schemas.js';
export { SimulateDto } from './dto/dispatch.dto.js';
