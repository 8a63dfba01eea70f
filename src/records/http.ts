// What of the room only the HTTP service loads.
export { batchSchemas } from './batch/batch.schemas.js';
export { historySchemas } from './history/history.schemas.js';
export { recordSchemas } from './record.schemas.js';
export { RecordsHttpModule } from './records-http.module.js';
export { searchSchemas } from './search/search.schemas.js';
