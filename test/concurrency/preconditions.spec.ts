import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.js';
import { TwoServices } from '../support/two-services.js';

/** Milliseconds for the tests of this file, which send thousands of requests. */
jest.setTimeout(480_000);

const CLIENTS = 16;
const TURNS = 10;
/** Milliseconds between two writes of those who read nothing first. Without them, nobody else gets a turn. */
const PAUSE = 25;

let services: TwoServices;

beforeAll(async () => {
  services = await TwoServices.start();
});
afterAll(() => services.stop());

it('Clients that add to one field with If-Match lose nothing, beside others that write without it [contract 7]', async () => {
  const apis = await services.login('acme');
  const [one] = apis;
  const { body } = await one.post('/companies', { fields: { company_name: 'Sum', annual_revenue: 0 } });
  const path = `/companies/${body.id}?properties=annual_revenue`;
  let refused = 0;
  const add = async (api: ApiClient): Promise<void> => {
    const read = await api.get(path);
    const options = { headers: { 'If-Match': read.headers.get('etag')! } };
    const annual_revenue = Number(read.body.annual_revenue) + 1;
    const { status } = await api.patch(path, { fields: { annual_revenue } }, options);
    expect([200, 412]).toContain(status);
    if (status === 200) return;
    refused++;
    return add(api);
  };
  let stop = false;
  const disturb = async (): Promise<void> => {
    for (let n = 0; !stop; n++) {
      await apis[n % 2]!.patch(path, { fields: { company_name: `City ${n}` } });
      await delay(PAUSE);
    }
  };
  const disturbing = disturb();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      for (let turn = 0; turn < TURNS; turn++) await add(apis[n % 2]!);
    }),
  );
  stop = true;
  await disturbing;
  expect((await one.get(path)).body.annual_revenue).toBe(String(CLIENTS * TURNS));
  expect(refused).toBeGreaterThan(CLIENTS);
});
