import { type FileHandle, open } from 'node:fs/promises';
import { dataDirectoryError } from './data-directory.js';

/** A log with more bytes than this is emptied at a start. */
export const MAX_LOG_BYTES = 10 * 1024 * 1024;

const TAIL_BYTES = 8192;

/** The open log of a server that is being started. */
interface ServerLog {
  readonly handle: FileHandle;
  /** Byte in the file at which the lines of this start begin. */
  readonly from: number;
}

/**
 * Opens the log for appending. The caller closes the handle.
 *
 * @throws {EmbeddedPostgresError} when the file cannot be written
 */
export async function openServerLog(path: string): Promise<ServerLog> {
  try {
    const handle = await open(path, 'a', 0o600);
    const { size } = await handle.stat();
    if (size <= MAX_LOG_BYTES) return { handle, from: size };
    await handle.truncate();
    return { handle, from: 0 };
  } catch (error) {
    throw dataDirectoryError(path, error);
  }
}

/** Returns the last lines written to the log at `path` after the byte `from`; empty when there are none. */
export async function tailServerLog(path: string, from: number, lines = 15): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const start = Math.max(from, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
      return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-lines).join('\n');
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
