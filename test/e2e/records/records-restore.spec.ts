import type { ApiClient } from '../../support/api-client.js';
import { expectDuplicateOf, expectError } from '../../support/error-object.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;
let next = 0;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('An archived record of $type', ({ type, minimal, singular, key, text }) => {
  const create = async (fields: object = {}): Promise<string> =>
    (await api.post(`/${type}`, { fields: { ...minimal, ...fields } })).body.id;
  const restore = (id: string) => api.post(`/${type}/${id}/restore`);
  const count = async (): Promise<number> => (await api.get(`/${type}?limit=1`)).body.pagination.count;

  it('is active again as it was, and counted again [contract 7]', async () => {
    const id = await create({ [text]: 'kept', external_id: `back-${next++}` });
    const before = (await api.get(`/${type}/${id}?properties=${text},external_id`)).body;
    const counted = await count();
    await api.delete(`/${type}/${id}`);
    expect(await count()).toBe(counted - 1);
    const answer = await restore(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, archived: false });
    expect(answer.body).not.toHaveProperty('archived_by');
    const { updated_at, ...after } = (await api.get(`/${type}/${id}?properties=${text},external_id`)).body;
    expect({ ...after, updated_at: before.updated_at }).toEqual(before);
    expect(updated_at).toBe(answer.body.updated_at);
    expect(await count()).toBe(counted);
    expect((await api.patch(`/${type}/${id}`, { fields: { [text]: 'new' } })).status).toBe(200);
  });

  it('must be archived, and of the account and the type [contract 1, contract 7]', async () => {
    const id = await create();
    expectError(await restore(id), 409, { code: 'not_archived', message: `This ${singular} is active` });
    await api.delete(`/${type}/${id}`);
    const stranger = await service.login('stranger');
    const capital = singular[0]!.toUpperCase() + singular.slice(1);
    const missing = { message: `${capital} not found` };
    expectError(await stranger.post(`/${type}/${id}/restore`), 404, missing);
    for (const none of [UNKNOWN_ID, 'x', '%00']) expectError(await restore(none), 404, missing);
    const other = RECORD_TYPES.find((each) => each.type !== type)!;
    expect((await api.post(`/${other.type}/${id}/restore`)).status).toBe(404);
    const reader = await service.login('acme', ['records:read']);
    expect((await reader.post(`/${type}/${id}/restore`)).status).toBe(403);
    expect((await api.post(`/${type}/${id}/restore?properties=${text}`)).status).toBe(400);
    const unknown = { field: 'fields', message: 'Unknown key: fields' };
    expectError(await api.post(`/${type}/${id}/restore`, { fields: {} }), 400, {
      ...unknown,
      errors: [unknown],
    });
    expect((await api.post(`/${type}/${id}/restore`, {})).status).toBe(200);
  });

  it('stays archived where another has its keys by now [2.8, contract 7]', async () => {
    const external = `taken-${next++}`;
    const id = await create({ external_id: external });
    await api.delete(`/${type}/${id}`);
    const holder = await create({ external_id: external });
    expectDuplicateOf(await restore(id), { external_id: holder });
    expect((await api.get(`/${type}/${id}`)).body.archived).not.toBe(false);
    await api.patch(`/${type}/${holder}`, { fields: { external_id: null } });
    expect((await restore(id)).status).toBe(200);
    if (key === null) return;
    const value = key === 'email' ? `taken-${next++}@x.example` : `taken-${next++}.example`;
    const first = await create({ [key]: value });
    await api.delete(`/${type}/${first}`);
    const second = await create({ [key]: value });
    expectDuplicateOf(await restore(first), { [key]: second });
  });

  it('is restored once by many who ask together [contract 7]', async () => {
    const id = await create();
    await api.delete(`/${type}/${id}`);
    const counted = await count();
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => restore(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(15);
    expect(await count()).toBe(counted + 1);
  });
});
