export type { AccountConfiguration } from './cache/account-configuration.js';
export { ConfigurationCache, isRefusal, OUTDATED } from './cache/configuration.cache.js';
export { ConfigurationModule } from './configuration.module.js';
