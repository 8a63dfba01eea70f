// A service of its own: its searches end after their ordinary time.
import type { ApiClient } from '../support/api-client.js';
import { expectInvalid } from '../support/error-object.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.start({ searchTime: 2_000 });
  const notes = '{ object_type: companies, internal_name: notes, type: string, long: true }';
  await service.apply(`accounts: [{ slug: hostile, fields: [${notes}] }]`);
  api = await service.login('hostile');
});
afterAll(() => service.stop());

const search = (type: string, conditions: object[]): ReturnType<ApiClient['post']> =>
  api.post(`/${type}/search`, { filter: { groups: conditions.map((each) => ({ conditions: [each] })) } });

it('A search that compares many long texts ends in time, and lets others be answered before it [contract 7]', async () => {
  const long = 'ﷺ'.repeat(5_460);
  const fields = { deal_name: 'D', pipeline: 'default', deal_stage: 'new', description: `é${long}` };
  for (let n = 0; n < 2; n++) {
    await api.post('/deals/batch/create', { inputs: Array.from({ length: 60 }, () => ({ fields })) });
  }
  /** Each ends in another mark, so that each is evaluated. */
  const conditions = Array.from({ length: 60 }, (_, n) => ({
    field: 'description',
    operator: 'lt',
    value: `e${long}${String.fromCharCode(0x300 + n)}`,
  }));
  /** @returns in which order a search and requests beside it are answered */
  const order = async (): Promise<string[]> => {
    const ended: string[] = [];
    const slow = search('deals', conditions).then((answer) => {
      ended.push('search');
      return answer;
    });
    for (let n = 0; n < 3; n++) {
      expect((await service.anonymous.get('/health/live')).status).toBe(200);
      ended.push('health');
    }
    expectInvalid(await slow, ['filter', /^The search takes too long/]);
    return ended;
  };
  const expected = ['health', 'health', 'health', 'search'];
  // A machine that is busy with something else for as long as a search may take can change the order.
  let found = await order();
  for (let more = 2; more > 0 && found.join() !== expected.join(); more--) found = await order();
  expect(found).toEqual(expected);
});

it.each([
  ['runs of marks', '\u0301'.repeat(65_536) + '\u0316'.repeat(65_536), 'zzz'],
  ['what it nearly has', 'a'.repeat(262_144), `b${'a'.repeat(131_071)}`],
])('A search for a part of a text with %s is answered [contract 7]', async (_, notes, value) => {
  const { body } = await api.post('/companies', { fields: { company_name: 'C', notes } });
  const none = await search('companies', [{ field: 'notes', operator: 'contains', value }]);
  expect(none).toMatchObject({ status: 200, body: { data: [] } });
  const part = { field: 'notes', operator: 'contains', value: notes.slice(0, 129_990) };
  const found = await search('companies', [part]);
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
});
