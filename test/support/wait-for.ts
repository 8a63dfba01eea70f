import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` returns something other than undefined, null or false. @throws after `ms` milliseconds
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T> | T,
  ms = 30_000,
): Promise<NonNullable<T>> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; await delay(20)) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
  }
  throw new Error(`Waited ${ms} ms in vain for: ${what}`);
}
