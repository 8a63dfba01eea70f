export { countLock, importLock, requestLock, slugLock } from './connection/advisory-locks.js';
export type { EntityClass, MigrationClass } from './connection/data-source.js';
export { Database } from './database.js';
export { DatabaseUnavailableError, errorCode, OutcomeUnknownError } from './errors.js';
export { DatabaseProbe } from './connection/database.probe.js';
export {
  firstIdAt,
  GREATEST_ID,
  idOfInstant,
  inBatches,
  LEAST_ID,
  newId,
  pageById,
  timeOfId,
  type IdRange,
  type RowPage,
} from './ids.js';
export { atKey, butOnCluster, InsertedRows, onCluster, unknownWhenPlanned } from './cluster-form.js';
export type { ClusterSending, EntityReader, Queryable, Statement } from './queryable.js';
export { isId } from '../text/is-id.js';
export { Deadline, DEFAULT_LIMITS, type DatabaseLimits } from './connection/deadline.js';
export {
  isConnectionLost,
  isOutage,
  isUnavailable,
  isWorkTooLong,
  violatedIndex,
} from './connection/sqlstate.js';
export type { Transaction } from './connection/transaction.js';
export { Background } from './background.js';
export { beginsWith } from './begins-with.js';
