import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` returns something other than undefined, null or false, which is far sooner than
 * `ms` unless something is wrong.
 * @throws Error after `ms` milliseconds
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T> | T,
  ms = 120_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + ms;
  for (;;) {
    // It is asked once more afterwards, because the machine may have been busy until then.
    const isLast = performance.now() >= deadline;
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    if (isLast) throw new Error(`Waited ${ms} ms in vain for: ${what}`);
    await delay(20);
  }
}
