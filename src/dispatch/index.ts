export { DispatchModule } from './dispatch.module.js';
export { ReplayService, type ReplayedRecord, type ReplayResult } from './replay.service.js';
export { ReimbursementService } from './reimbursement.service.js';
export { dispatchSchemas } from './dispatch.schemas.js';
