import { OUTDATED } from '../../configuration/index.js';
import type { Ended } from './ended.js';

/** How writes that are known to be sound are done. */
export interface Turns<T> {
  /**
   * Does some, in their order: the first ones, as many as can be done together.
   * @returns how each of these has ended; undefined for one that was not done and has to be done alone.
   *   OUTDATED where nothing was done because the configuration has changed
   */
  readonly together: (writes: readonly T[]) => Promise<readonly (Ended | undefined)[] | typeof OUTDATED>;
  /** Does one. @param place of the write, from 0 */
  readonly alone: (place: number) => Promise<Ended>;
  /** Is told of each that has ended, in no order; what it throws ends all. */
  readonly onEnded: ((ended: Ended) => void) | undefined;
}

/** A write with its place among all of them. */
interface Placed<T> {
  readonly place: number;
  readonly write: T;
}

/**
 * Does writes as if one after the other: those that can be done together in runs, and the others between
 * them.
 * @param planned writes to do together, refusals that are final, and writes to do alone
 * @returns how each has ended, in the same order; OUTDATED where nothing was done
 */
export async function inTurns<T extends object>(
  planned: readonly (T | { readonly error: Error } | 'alone')[],
  { together, alone, onEnded }: Turns<T>,
): Promise<Ended[] | typeof OUTDATED> {
  const ended: Ended[] = [];
  let run: Placed<T>[] = [];
  let begun = false;
  for (const [place, write] of planned.entries()) {
    if (write === 'alone') {
      if (!(await finishRun())) return OUTDATED;
      end(place, await alone(place));
      begun = true;
    } else if ('error' in write) ended[place] = write as Ended;
    else run.push({ place, write });
  }
  return (await finishRun()) ? ended : OUTDATED;

  function end(place: number, each: Ended): void {
    onEnded?.(each);
    ended[place] = each;
  }

  /** @returns false where nothing at all was done */
  async function finishRun(): Promise<boolean> {
    while (run.length > 0) {
      const results = await together(run.map(({ write }) => write));
      if (results === OUTDATED && !begun) return false;
      begun = true;
      const done = results === OUTDATED ? run.map(() => undefined) : results;
      for (const [index, { place }] of run.slice(0, done.length).entries()) {
        end(place, done[index] ?? (await alone(place)));
      }
      run = run.slice(done.length);
    }
    return true;
  }
}
