import { waitFor } from './wait-for.js';

/** Waits until a service is ready: on a busy machine, it says meanwhile that the database answers late. */
export function untilReady(url: string): Promise<unknown> {
  return waitFor('the service to be ready', async () => (await fetch(`${url}/health/ready`)).status === 200);
}
