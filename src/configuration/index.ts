export type { AccountConfiguration } from './cache/configuration.loader.js';
export { ConfigurationCache, isRefusal, OUTDATED } from './cache/configuration.cache.js';
export { ConfigurationModule } from './configuration.module.js';
