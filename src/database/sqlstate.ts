import { errorCode } from './error-code.js';
import { saysUnavailable } from './pg-internals.js';

/** SQLSTATE codes that this service handles (PostgreSQL manual, appendix A). */
export const SQLSTATE = {
  uniqueViolation: '23505',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  lockNotAvailable: '55P03',
} as const;

const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '53300', // too many connections
  '53400', // configuration limit exceeded
  '57014', // statement timeout
  '57P01', // administrator shut the server down
  '57P02', // crash of another backend
  '57P03', // starting up or shutting down
  '55P03', // lock timeout
  '25006', // read-only: the primary has moved
  '28000', // login refused
  '28P01', // wrong password: it is being changed
  '3D000', // no such database: it is being restored
]);

/** Errors of `connect` on a Unix socket: the server has removed it, or too many wait there. */
const UNAVAILABLE_SOCKET = new Set(['ENOENT', 'EAGAIN']);

/** Returns true when a rerun of the whole transaction may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error);
  return code === SQLSTATE.serializationFailure || code === SQLSTATE.deadlockDetected;
}

/** Returns true when a statement has waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === SQLSTATE.lockNotAvailable;
}

/** Returns true when the database cannot serve at the moment. Clients then get 503. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined && (UNAVAILABLE_CODES.has(code) || code.startsWith('08'))) return true;
  if (code !== undefined && UNAVAILABLE_SOCKET.has(code)) {
    return (error as { syscall?: unknown }).syscall === 'connect';
  }
  return error instanceof Error && saysUnavailable(error);
}

/** Returns the unique index that an error names as violated, or undefined for any other error. */
export function violatedIndex(error: unknown): string | undefined {
  if (errorCode(error) !== SQLSTATE.uniqueViolation) return undefined;
  const { constraint } = error as { constraint?: string };
  return constraint;
}
