import { errorCode } from './errors.js';

/** Returns undefined where a file or a directory is missing. @throws what `work` throws otherwise */
export async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
