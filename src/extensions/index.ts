export { ExtensionsModule } from './extensions.module.js';
export { loadExtensions } from './load-extensions.js';
export type { FairleadExtension, Provided } from './fairlead-extension.js';
