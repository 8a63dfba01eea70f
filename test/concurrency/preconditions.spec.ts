// Services of its own: clients send more than they may.
import type { ApiClient } from '../support/api-client.js';
import { storm } from '../support/storm.js';
import { TwoServices } from '../support/processes/two-services.js';

const CLIENTS = storm(16, 8);
const TURNS = storm(10, 3);

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
  let [asked, refused] = [0, 0];
  const add = async (api: ApiClient): Promise<void> => {
    const read = await api.get(path);
    // More often, nobody who adds would get a turn.
    if (++asked % CLIENTS === 0) await disturb(api, asked);
    const options = { headers: { 'If-Match': read.headers.get('etag')! } };
    const annual_revenue = Number(read.body.annual_revenue) + 1;
    const { status } = await api.patch(path, { fields: { annual_revenue } }, options);
    expect([200, 412]).toContain(status);
    if (status === 200) return;
    refused++;
    return add(api);
  };
  const disturb = async (api: ApiClient, n: number): Promise<void> => {
    expect((await api.patch(path, { fields: { company_name: `City ${n}` } })).status).toBe(200);
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      for (let turn = 0; turn < TURNS; turn++) await add(apis[n % 2]!);
    }),
  );
  expect((await one.get(path)).body.annual_revenue).toBe(String(CLIENTS * TURNS));
  expect(refused).toBeGreaterThan(CLIENTS);
});
