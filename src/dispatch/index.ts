export { DispatchModule } from './dispatch.module.js';
export { RouterStatusReader, type RouterStatus } from './status/router-status.reader.js';
export { UserNowReader } from './status/user-now.reader.js';
export { DispatchService } from './dispatch.service.js';
export { ReplayService, type ReplayedRecord, type ReplayResult } from './simulation/replay.service.js';
export { SimulationService, type SimulationResult } from './simulation/simulation.service.js';
export {
  AssignmentHooks,
  type AssignmentHook,
  type DecidedAssignment,
  type WrittenAssignment,
} from './transaction/assignment-hooks.js';
export { DispatchRunner } from './transaction/dispatch-runner.js';
export type { BatchResult, DispatchResult } from './transaction/dispatch-result.js';
