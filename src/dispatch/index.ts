export { DispatchModule } from './dispatch.module.js';
export { ReplayService, type ReplayedRecord, type ReplayResult } from './simulation/replay.service.js';
export { ReturnedTurns } from './returned-turns/returned-turns.js';
export { dispatchSchemas } from './dispatch.schemas.js';
