export type { AccountConfiguration } from './cache/account-configuration.js';
export { ConfigurationCache, OUTDATED } from './cache/configuration.cache.js';
export { ConfigurationModule } from './configuration.module.js';
export { ApplyService } from './file/apply/apply.service.js';
export { parseConfigurationFile, readConfigurationFile } from './file/configuration-file.js';
export { ConfigurationFileError } from './file/configuration-file.error.js';
export { ExportService } from './file/export.service.js';
export { describePlan } from './file/plan.js';
