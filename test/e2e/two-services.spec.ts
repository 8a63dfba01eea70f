// Services of its own: they have other keys.
import { ApiClient } from '../support/api-client.js';
import { TestService } from '../support/test-service.js';

/** The status that a service answers to the tokens of both. */
async function statuses(service: TestService, clients: readonly ApiClient[]): Promise<number[]> {
  const answers = clients.map(({ token }) => new ApiClient(service.url, token).get('/contacts'));
  return (await Promise.all(answers)).map(({ status }) => status);
}

it('Two services in one process take the tokens of their own key alone, whichever was made last [5.3, contract 2]', async () => {
  const first = await TestService.start();
  const secret = 'another-secret-of-the-tests-of-at-least-32-bytes';
  const second = await TestService.start({ database: first.database, env: { JWT_SECRET: secret } });
  const clients = [await first.login('acme'), await second.login('acme')];
  expect(await statuses(first, clients)).toEqual([200, 401]);
  expect(await statuses(second, clients)).toEqual([401, 200]);
  await second.stop();
  await first.stop();
});
