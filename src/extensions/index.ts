export { ExtensionsModule } from './extensions.module.js';
export type { FairleadExtension, Provided } from './fairlead-extension.js';
