// A service of its own: it has a hook.
import { RecordHooks, type WrittenRecord } from '../../src/records/index.js';
import type { ApiClient } from '../support/api-client.js';
import { HeldRecords } from '../support/database/held-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;
let writes: WrittenRecord[];
const held = new HeldRecords(() => service);

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme');
  service.app.get(RecordHooks, { strict: false }).register({
    onWrite: () => ({
      after: (_, written) => {
        writes.push(written);
        return Promise.resolve();
      },
    }),
  });
});
beforeEach(() => (writes = []));
afterEach(() => held.release());
afterAll(() => service.stop());

describe('The record before a write, as hooks see it', () => {
  it('has the change that the write waited for [4.4]', async () => {
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const holder = await held.hold(body.id);
    const patch = api.patch(`/contacts/${body.id}`, { fields: { first_name: 'Eve' } });
    await held.waiting(1);
    await held.changeAndRelease(holder, body.id);
    expect((await patch).status).toBe(200);
    expect(writes.at(-1)?.previous?.fields).toEqual({ first_name: 'Ada', city: 'Paris' });
    expect(writes.at(-1)?.record.fields).toEqual({ first_name: 'Eve', city: 'Paris' });
  });

  it('is that of the same account and type, or there is none [2.8, 5.3]', async () => {
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    writes = [];
    const other = await service.login('other');
    const patch = { fields: { first_name: 'Eve' } };
    expect((await other.patch(`/contacts/${body.id}`, patch)).status).toBe(404);
    expect((await api.patch(`/companies/${body.id}`, { fields: { company_name: 'E' } })).status).toBe(404);
    expect(writes).toEqual([]);
  });
});
