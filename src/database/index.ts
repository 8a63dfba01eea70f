export {
  configurationLock,
  countsLock,
  importLock,
  LOG_MONTHS_LOCK,
  logLock,
  MIGRATION_LOCK,
  requestLock,
  routerLock,
  seedLock,
  slugLock,
  userLock,
} from './advisory-locks.js';
export type { EntityClass, MigrationClass } from './data-source.js';
export { Database } from './database.js';
export { DatabaseUnavailableError, errorCode, OutcomeUnknownError } from './errors.js';
export { Deadline } from './deadline.js';
export { DatabaseProbe } from './database.probe.js';
export { GREATEST_ID, idFrom, LEAST_ID } from './id-bounds.js';
export { inBatches } from './in-batches.js';
export { KnownToAll } from './known-to-all.js';
export { firstIdAt, newId, timeOfId } from './new-id.js';
export { isId } from '../text/is-id.js';
export { DEFAULT_LIMITS, type DatabaseLimits } from './limits.js';
export type { EntityReader, Queryable, Statement } from './queryable.js';
export {
  isAnswered,
  isConnectionLost,
  isLockTimeout,
  isOutage,
  isUnavailable,
  isWorkTooLong,
  violatedIndex,
} from './sqlstate.js';
export type { Transaction } from './transaction.js';
export { unknownWhenPlanned } from './unknown-when-planned.js';
export { pageById, type IdRange, type RowPage } from './page-by-id.js';
export { observeTransactions } from './observe-transactions.js';
export { RepeatedWork } from './repeated-work.js';
export { SettledIds, type Observation } from './settled-ids.js';
