import { errorCode } from '../database/index.js';

/** Returns the error of a file that cannot be read or written: its path, and the system's code for why. */
export function fileFailure(what: 'read' | 'write', path: string, cause: unknown): Error {
  return new Error(`Cannot ${what} ${path}: ${errorCode(cause) ?? 'unknown error'}`, { cause });
}
