export { configurationLock, routerLock, slugLock, userLock } from './advisory-locks.js';
export { errorCode } from './error-code.js';
export type { EntityClass, MigrationClass } from './data-source.js';
export { Database } from './database.js';
export { DatabaseProbe } from './database.probe.js';
export { firstIdAt, isId, newId } from './new-id.js';
export type { Queryable, Statement } from './queryable.js';
export { isUnavailable, violatedIndex } from './sqlstate.js';
export type { Transaction } from './transaction.js';
