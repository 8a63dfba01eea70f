import { saysConnectionLost, saysNoAnswer, saysNoConnection, saysUnavailable } from '../driver/driver.js';
import { DatabaseUnavailableError, errorCode, NoAnswerError, OutcomeUnknownError } from '../errors.js';

/** SQLSTATE codes that this service handles (PostgreSQL manual, appendix A). */
export const SQLSTATE = {
  /** Of a requirement that refuses a write. */
  divisionByZero: '22012',
  uniqueViolation: '23505',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  lockNotAvailable: '55P03',
  unknownStatement: '26000',
  queryCanceled: '57014',
  readOnly: '25006',
  /** Also: Citus cannot send a statement to one node. */
  notSupported: '0A000',
  internal: 'XX000',
} as const;

/** Codes of a connection that was open. What was sent over it may have happened. */
const LOST_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'ENOTCONN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ERR_STREAM_DESTROYED',
  '25P03', // idle in transaction for too long
  '25P04', // transaction timeout
  '57P01', // administrator shut the server down
  '57P02', // crash of another backend
  '57P05', // idle session timeout
]);

/** Codes beside those of a lost connection. */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57014', // statement timeout
  '55P03', // lock timeout
  '25006', // read-only: the primary has moved
  '26000', // the statement that was to be prepared before has failed, or a pooler prepares none
  '28000', // login refused
  '28P01', // wrong password: it is being changed
  '3D000', // no such database: it is being restored
]);

/**
 * Insufficient resources (disk, memory, connections), interventions of the operator, and errors outside of
 * PostgreSQL (I/O).
 */
const UNAVAILABLE_CLASSES = /^(53|57P|58)/;

/** Errors of `connect` on a Unix socket: the server has removed it, or too many wait there. */
const UNAVAILABLE_SOCKET = new Set(['ENOENT', 'EAGAIN']);

/**
 * Where in the source of Citus an error is made that a node has of another one: libpq's message, in any
 * language, and no code of its own.
 */
const OF_ANOTHER_NODE = new Set(['remote_commands.c', 'remote_transaction.c', 'placement_connection.c']);

function isOfAnotherNode(error: unknown): boolean {
  return (
    errorCode(error) === SQLSTATE.internal && OF_ANOTHER_NODE.has((error as { file?: string }).file ?? '')
  );
}

/** Returns true when a rerun of the whole transaction may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error);
  return code === SQLSTATE.serializationFailure || code === SQLSTATE.deadlockDetected;
}

/**
 * Returns true when a statement was sent behind one of the same name that was to prepare it and has failed,
 * such as one that has waited too long for a lock.
 */
export function isUnprepared(error: unknown): boolean {
  return errorCode(error) === SQLSTATE.unknownStatement;
}

/** Returns true when a statement has waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === SQLSTATE.lockNotAvailable;
}

/** Returns the rows of a write; none where a step before it has refused it (`ClusterSending.isRefusable`). */
export async function unlessRefused<Row>(write: Promise<Row[]>): Promise<Row[]> {
  try {
    return await write;
  } catch (error) {
    if (errorCode(error) === SQLSTATE.divisionByZero) return [];
    throw error;
  }
}

/** Returns true when the session may not write: the server is, or has become, a standby. */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === SQLSTATE.readOnly;
}

/**
 * Returns true for an error that says that an open connection is gone, to the database or from one of its
 * nodes to another. It does not say whether what was sent has happened.
 */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof OutcomeUnknownError) return false;
  const code = errorCode(error);
  if (code !== undefined) return LOST_CODES.has(code) || code.startsWith('08') || isOfAnotherNode(error);
  return error instanceof Error && saysConnectionLost(error);
}

/** Returns true for an error that PostgreSQL has answered, and behind which the session goes on. */
export function isAnswered(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && !isConnectionLost(error);
}

/** Returns true when the database cannot serve at the moment. Clients then get 503. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof OutcomeUnknownError) return true;
  const code = errorCode(error);
  if (code === undefined)
    return isConnectionLost(error) || (error instanceof Error && saysUnavailable(error));
  if (UNAVAILABLE_SOCKET.has(code)) return (error as { syscall?: unknown }).syscall === 'connect';
  return isConnectionLost(error) || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.test(code);
}

/**
 * Returns true when work got no answer in time. That is the fault of the database only where nobody got one:
 * the wait may have been short, or for others.
 */
export function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswerError || saysNoAnswer(error) || saysNoConnection(error);
}

/** Returns true when a statement took longer than it may, or has waited too long for a lock. */
export function isWorkTooLong(error: unknown): boolean {
  return isLockTimeout(error) || errorCode(error) === SQLSTATE.queryCanceled;
}

/** Returns true when the database cannot serve, and not this work only, which was in the way of others. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) && !isWorkTooLong(error);
}

/** The index of a part of a table, in the message of a cluster in any language. */
const INDEX_OF_PART = /\b([a-z_]+)_[0-9]+\b/;

/** Returns the unique index that an error names as violated, or undefined for any other error. */
export function violatedIndex(error: unknown): string | undefined {
  if (errorCode(error) !== SQLSTATE.uniqueViolation) return undefined;
  const { constraint = '', message } = error as Error & { constraint?: string };
  return INDEX_OF_PART.exec(`${constraint} ${message}`)?.[1] ?? (constraint || undefined);
}
