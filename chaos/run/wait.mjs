// Waiting for conditions, and work that is done again and again.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is true.
 * @param ask may return a promise; one that rejects counts as false
 * @param options.within milliseconds
 * @returns the answer; undefined when it was not true in time
 */
export async function until(ask, { within = 30_000, every = 20 } = {}) {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      .catch(() => undefined);
    if (answer) return answer;
    if (performance.now() >= deadline) return undefined;
    await sleep(every);
  }
}

/** As `until`. @throws Error that says what did not happen */
export async function require(what, ask, options = {}) {
  const answer = await until(ask, options);
  if (answer === undefined) throw new Error(`${what}: not within ${(options.within ?? 30_000) / 1_000} s`);
  return answer;
}

/**
 * Does some work until it is told to stop, with a pause after each time.
 * @param every milliseconds of the pause
 * @returns a function that stops it and waits for its end
 */
export function repeat(leftovers, work, every) {
  let isRunning = true;
  const ended = (async () => {
    while (isRunning) {
      await work();
      await sleep(every);
    }
  })();
  const stop = () => {
    isRunning = false;
    return ended;
  };
  leftovers.add(stop);
  return stop;
}
