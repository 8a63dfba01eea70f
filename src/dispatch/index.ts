export { DispatchModule } from './dispatch.module.js';
export { ReimbursementService } from './reimbursement.service.js';
export { dispatchSchemas } from './dispatch.schemas.js';
