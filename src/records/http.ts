// What of the room only the HTTP service loads.
export { batchSchemas, historySchemas, searchSchemas } from './bulk.schemas.js';
export { recordSchemas } from './record.schemas.js';
export { RecordsHttpModule } from './records-http.module.js';
