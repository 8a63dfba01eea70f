import type { ApiClient } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { decodeToken } from '../../support/forge-token.js';
import { flatObject, ISO_TIME, RECORD_TYPES, UNKNOWN_ID, USERS } from '../../support/record-types.js';
import { backdate, LONG_AGO, storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS} }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** The id of the API client that a token was issued to. */
const clientId = ({ token }: ApiClient): string => decodeToken(token!).claims['client_id'] as string;

describe.each(RECORD_TYPES)('A record of $type', (recordType) => {
  const { type, singular, minimal, sent, stored, key, text } = recordType;
  const notFound = `${singular.charAt(0).toUpperCase()}${singular.slice(1)} not found`;
  const archivedMessage = expect.stringContaining('archived');
  const every = Object.keys(stored).join(',');

  /** Returns unique keys for one record. */
  const keys = (name: string): Record<string, string> => ({
    external_id: name,
    ...(key === null ? {} : { [key]: `${name}.example` }),
  });

  async function create(fields: object = minimal): Promise<any> {
    const { status, body } = await api.post(`/${type}`, { fields });
    expect(status).toBe(201);
    return body;
  }

  it('is read as it was created [2.2, 4.4, 4.7, contract 3]', async () => {
    const created = await create();
    const { status, body } = await api.get(`/${type}/${created.id}`);
    expect({ status, body }).toEqual({ status: 200, body: created });
  });

  it('appears in the list as it is read [2.2, 4.2]', async () => {
    const created = await create();
    const { status, body } = await api.get(`/${type}?limit=100`);
    expect(status).toBe(200);
    expect(body.data.filter(({ id }: { id: string }) => id === created.id)).toEqual([created]);
  });

  it('is updated by PATCH, which answers the updated object and leaves other fields alone [3, 4.4, 4.7, contract 3]', async () => {
    const created = await create({ ...sent, ...keys('patched') });
    const { status, body } = await api.patch(`/${type}/${created.id}?properties=${every}`, {
      fields: { [text]: 'Something else' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...flatObject(recordType, stored),
      ...stored,
      ...keys('patched'),
      [text]: 'Something else',
      id: created.id,
      created_at: created.created_at,
    });
    expect((await api.get(`/${type}/${created.id}?properties=${every}`)).body).toEqual(body);
  });

  it('has its modification time set by PATCH, its creation time never [2.5, 3]', async () => {
    const { id } = await create();
    await backdate(service, id);
    const times = '?properties=create_date,last_modified_date';
    expect((await api.get(`/${type}/${id}${times}`)).body).toMatchObject({
      create_date: LONG_AGO,
      last_modified_date: LONG_AGO,
      created_at: LONG_AGO,
      updated_at: LONG_AGO,
    });
    const { body } = await api.patch(`/${type}/${id}${times}`, { fields: {} });
    expect(body).toMatchObject({ create_date: LONG_AGO, created_at: LONG_AGO });
    expect(body.updated_at).toMatch(ISO_TIME);
    expect(body.updated_at > LONG_AGO).toBe(true);
    expect(body.last_modified_date).toBe(body.updated_at);
  });

  it('is archived by DELETE, which answers the archived object [2.1, 2.2, 3, 4.4, 4.7, contract 3]', async () => {
    const created = await create();
    await backdate(service, created.id);
    const { status, body } = await api.delete(`/${type}/${created.id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...created,
        created_at: LONG_AGO,
        updated_at: body.archived,
        archived: expect.stringMatching(ISO_TIME),
        archived_by: clientId(api),
      },
    });
    expect(body.archived > LONG_AGO).toBe(true);
    const seen = await api.get(`/${type}/${created.id}?properties=last_modified_date`);
    expect(seen.body).toEqual({ ...body, last_modified_date: LONG_AGO });
  });

  it('is still read when archived, with all that it held [2.1, 3, contract 3]', async () => {
    const { id } = await create({ ...sent, ...keys('archived') });
    const { body: archived } = await api.delete(`/${type}/${id}`);
    const { status, body } = await api.get(`/${type}/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: archived });
    const full = await api.get(`/${type}/${id}?properties=${every}`);
    expect(full.body).toEqual({ ...archived, ...stored, ...keys('archived') });
  });

  it('is not updated when archived: 409 without a field [3, contract 1, contract 3]', async () => {
    const { id } = await create();
    await create({ ...minimal, external_id: 'taken-by-an-active-one' });
    await api.delete(`/${type}/${id}`);
    const before = await storedRecords(service);
    for (const fields of [{}, { [text]: 'New' }, { external_id: 'taken-by-an-active-one' }]) {
      const response = await api.patch(`/${type}/${id}`, { fields });
      expectError(response, 409, { message: archivedMessage, code: 'archived' });
    }
    expect(await storedRecords(service)).toEqual(before);
  });

  it('is not archived twice: 404, and the first archiving stands [3, contract 3]', async () => {
    const { id } = await create();
    const { body: archived } = await api.delete(`/${type}/${id}`);
    const other = await service.login('acme');
    expectError(await other.delete(`/${type}/${id}`), 404, { message: notFound });
    expect((await api.get(`/${type}/${id}`)).body).toEqual(archived);
  });

  it('tells who archived it by the id of the API client [2.2, 3]', async () => {
    const { id } = await create();
    const other = await service.login('acme');
    expect(clientId(other)).not.toBe(clientId(api));
    const { body } = await other.delete(`/${type}/${id}`);
    expect(body.archived_by).toBe(clientId(other));
  });

  it('is not found under an unknown or a malformed id [contract 1]', async () => {
    for (const id of [UNKNOWN_ID, 'nope', '1']) {
      const path = `/${type}/${id}`;
      expectError(await api.get(path), 404, { message: notFound });
      expectError(await api.patch(path, { fields: {} }), 404, { message: notFound });
      expectError(await api.delete(path), 404, { message: notFound });
    }
  });

  it('is not found under the path of another type [1, 2.1, contract 1]', async () => {
    const { id } = await create();
    for (const other of RECORD_TYPES.filter((each) => each.type !== type)) {
      const path = `/${other.type}/${id}`;
      expect((await api.get(path)).status).toBe(404);
      expect((await api.patch(path, { fields: {} })).status).toBe(404);
      expect((await api.delete(path)).status).toBe(404);
    }
    expect((await api.get(`/${type}/${id}`)).body.archived).toBe(false);
  });
});
