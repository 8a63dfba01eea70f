// What was started and must be ended: processes, servers, directories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Undoes in the opposite order what was done. One that belongs to another is cleared with it. */
export class Leftovers {
  #steps = new Set();
  #isCleared = false;

  constructor(parent) {
    this.forget = parent?.add(() => this.clear());
  }

  /**
   * @param step may return a promise
   * @returns a function that forgets the step, for what has ended already
   * @throws Error after it was cleared; the step is run then
   */
  add(step) {
    if (this.#isCleared) {
      void step();
      throw new Error('The program is ending');
    }
    const entry = { step };
    this.#steps.add(entry);
    return () => this.#steps.delete(entry);
  }

  /** @returns a new temporary directory */
  directory() {
    const path = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'));
    this.add(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  /** Runs every step, also after one has failed. @throws the first error */
  async clear() {
    this.#isCleared = true;
    const steps = [...this.#steps].reverse();
    this.#steps.clear();
    const errors = [];
    for (const { step } of steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    this.forget?.();
    if (errors.length > 0) throw errors[0];
  }
}
