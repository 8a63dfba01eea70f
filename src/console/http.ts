// What of the room only the HTTP service loads.
export { ConsoleFiles } from './console-files.js';
export { ConsoleModule } from './console.module.js';
export { consoleSchemas } from './console.schemas.js';
