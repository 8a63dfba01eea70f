import { ApiClient } from '../api-client.js';
import { READY } from '../database/cluster.js';
import { waitFor } from '../wait-for.js';

/**
 * Waits until a service is ready, and expects that it says no more: on a busy machine, it says meanwhile that
 * the database answers late.
 */
export async function untilReady(service: string | ApiClient): Promise<void> {
  const client = typeof service === 'string' ? new ApiClient(service, undefined, false) : service;
  const { body } = await waitFor('the service to be ready', async () => {
    const answer = await client.get('/health/ready');
    return answer.status === 200 ? answer : undefined;
  });
  expect(body).toEqual(READY);
}
