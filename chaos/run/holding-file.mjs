// A file that whoever copies it waits for: a named pipe in a folder that is being copied.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { require } from './wait.mjs';

/** Milliseconds in which the copy comes to the file. */
const REACHED_MS = 60_000;

export class HoldingFile {
  /** @param folder that is being copied */
  constructor(folder) {
    this.path = join(folder, 'holding-file');
    execFileSync('mkfifo', [this.path]);
  }

  /**
   * Waits until the copy has come to the file.
   * @param isOver returns whether there is nothing to wait for any more
   * @returns a function that lets the copy go on; undefined where `isOver`
   * @throws Error when it does not come in time
   */
  async reached(isOver) {
    const ask = () => this.#open() ?? isOver();
    const { descriptor } = await require('A copy at the holding file', ask, { within: REACHED_MS });
    if (descriptor === undefined) return undefined;
    return () => {
      // No other copy waits for it.
      rmSync(this.path, { force: true });
      closeSync(descriptor);
    };
  }

  /** @returns { descriptor }; undefined while nobody reads */
  #open() {
    try {
      return { descriptor: openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK) };
    } catch (error) {
      if (error.code === 'ENXIO') return undefined;
      throw error;
    }
  }
}
