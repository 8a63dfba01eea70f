import type { ApiClient } from '../support/api-client.js';
import { rawRequest } from '../support/raw-request.js';
import { RECORD_TYPES } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe.each(RECORD_TYPES)('A 201 of $type', ({ type, minimal }) => {
  it.each([
    (path: string) => path,
    (path: string) => `${path}/`,
    (path: string) => path.toUpperCase(),
    (path: string) => `${path}?properties=create_date`,
    (path: string) => `http://elsewhere.example${path}`,
  ])('has the path of the record, however it was asked for (%#) [contract 1]', async (target) => {
    const body = JSON.stringify({ fields: minimal });
    const created = await rawRequest(api, 'POST', target(`/${type}`), { headers: JSON_TYPE, body });
    expect(created.status).toBe(201);
    const location = created.headers.get('location')!;
    expect(location).toBe(`/${type}/${created.body.id}`);
    expect((await api.get(location)).body.id).toBe(created.body.id);
  });

  it('is the only answer that has one [contract 1]', async () => {
    const { body } = await api.post(`/${type}`, { fields: { ...minimal, external_id: 'taken' } });
    const answers = [
      await api.patch(`/${type}/${body.id}`, { fields: {} }),
      await api.get(`/${type}/${body.id}`),
      await api.post(`/${type}`, { fields: { ...minimal, external_id: 'taken' } }),
      await api.post(`/${type}`, { fields: {} }),
    ];
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual([null, null, null, null]);
  });
});
