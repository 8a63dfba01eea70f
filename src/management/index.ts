export { commandAuthor, type Author } from './change/author.js';
export { ApplyService } from './file/apply/apply.service.js';
export { parseConfigurationFile, readConfigurationFile } from './file/configuration-file.js';
export { ConfigurationFileError } from './file/configuration-file.error.js';
export { ExportService } from './file/export.service.js';
export { describePlan } from './file/plan.js';
export { managementSchemas } from './management.schemas.js';
export { ManagementModule } from './management.module.js';
