export { RecordsModule } from './records.module.js';
export { RecordsRepository } from './records.repository.js';
export { recordSchemas } from './record.schemas.js';
