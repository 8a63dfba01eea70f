// Waits for what another process does.
import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `isDone` resolves to true; asks it twice a second. */
export async function until(isDone) {
  while (!(await isDone())) await delay(500);
}
