import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { errorCode } from '../../src/database/error-code.js';
import { waitFor } from '../support/wait-for.js';

/** A file that whoever copies it waits for: a named pipe in a folder that is being copied. */
export class HoldingFile {
  private constructor(private readonly path: string) {
    execFileSync('mkfifo', [path]);
  }

  static in(folder: string): HoldingFile {
    return new HoldingFile(`${folder}/holding-file`);
  }

  /** Waits until the copy has come to the file. @returns a function that lets it go on */
  async reached(): Promise<() => void> {
    const descriptor = await waitFor('the copy to come to the file', () => {
      try {
        // Without a reader, this fails.
        return { number: openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK) };
      } catch (error) {
        if (errorCode(error) === 'ENXIO') return undefined;
        throw error;
      }
    });
    return () => closeSync(descriptor.number);
  }
}
