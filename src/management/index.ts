export { AuditRepository } from './change/audit.repository.js';
export { commandAuthor, type Author } from './change/configuration-change.js';
export { ApiClientsService, type ClientCredentials } from './kinds/api-clients.service.js';
export { ApplyService } from './file/apply.service.js';
export { parseConfigurationFile } from './file/configuration-file.js';
export { ConfigurationFileError, PartlyAppliedError } from './file/configuration-file.error.js';
export { describePlan } from './file/plan.js';
export { MemberAccessService } from './kinds/member-access.service.js';
export { ManagementModule } from './management.module.js';
