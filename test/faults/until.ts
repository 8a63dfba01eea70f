import { setTimeout as delay } from 'node:timers/promises';

/** Polls until `probe` gives something other than undefined or false. */
export async function until<T>(
  what: string,
  probe: () => Promise<T> | T,
  ms = 30_000,
): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await delay(10)) {
    const value = await probe();
    if (value !== undefined && value !== false && value !== null) return value;
  }
  throw new Error(`Waited in vain for: ${what}`);
}
