import type { ApiClient } from '../../support/api-client.js';
import { expectDuplicateOf, expectError } from '../../support/error-object.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../../support/record-types.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;
let next = 0;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** Unique keys, each with a value that no record has yet, and another spelling of that value. */
const KEYS = RECORD_TYPES.flatMap(({ type, key, minimal, singular, text }) => [
  { type, minimal, singular, text, key: 'external_id', own: false },
  ...(key === null ? [] : [{ type, minimal, singular, text, key, own: true }]),
]);
const DOMAIN = (): string => `key-${next++}.example`;
const spellings = (key: string): readonly [value: string, other: string] => {
  const domain = DOMAIN();
  if (key === 'email') return [`ada@${domain}`, ` ADA@${domain}`];
  if (key === 'website_url') return [domain, `https://www.${domain.toUpperCase()}/about?x=1`];
  return [domain, domain];
};

describe.each(KEYS)('$type by $key', ({ type, key, minimal, singular, text, own }) => {
  const path = (value: string, more = ''): string =>
    `/${type}/${encodeURIComponent(value)}?id_property=${key}${more}`;
  const create = async (value: string): Promise<string> => {
    const { status, body } = await api.post(`/${type}`, { fields: { ...minimal, [key]: value } });
    expect(status).toBe(201);
    return body.id;
  };

  it('are read, updated and archived, in any spelling of the key [contract 7]', async () => {
    const [value, other] = spellings(key);
    const id = await create(value);
    for (const spelled of [value, other]) {
      const read = await api.get(path(spelled, '&properties=create_date'));
      expect(read).toMatchObject({ status: 200, body: { id, create_date: expect.any(String) } });
      const updated = await api.patch(path(spelled, `&properties=${text}`), { fields: { [text]: spelled } });
      expect(updated).toMatchObject({ status: 200, body: { id, [text]: spelled } });
    }
    const archived = await api.delete(path(other));
    expect(archived).toMatchObject({ status: 200, body: { id, archived: expect.any(String) } });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { fields: {} } : undefined;
      const capital = singular[0]!.toUpperCase() + singular.slice(1);
      expectError(await api.request(method, path(value), body), 404, { message: `${capital} not found` });
    }
    expect((await api.get(`/${type}/${id}`)).status).toBe(200);
  });

  it('are created by PUT, and then updated by it [contract 7]', async () => {
    const [value, other] = spellings(key);
    const created = await api.put(path(other), { fields: minimal });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/${type}/${created.body.id}`);
    expect((await api.get(path(value))).body).toEqual(created.body);
    const changes: Record<string, string>[] = [
      { [text]: 'x' },
      { [text]: 'y', [key]: other },
      {},
      { [key]: value },
    ];
    for (const fields of changes) {
      const updated = await api.put(path(value, `&properties=${text},${key}`), { fields });
      expect(updated).toMatchObject({ status: 200, body: { id: created.body.id } });
      expect(updated.headers.get('location')).toBeNull();
      expect(updated.body[key]).toBe(value);
    }
    expect((await api.get(path(value, `&properties=${text}`))).body[text]).toBe('y');
    await api.delete(path(value));
    const anew = await api.put(path(value), { fields: minimal });
    expect(anew.status).toBe(201);
    expect(anew.body.id).not.toBe(created.body.id);
  });

  it('are not written by a PUT whose body names another key [contract 7]', async () => {
    const [value, other] = spellings(key);
    const [elsewhere] = spellings(key);
    for (const wrong of [elsewhere, null, '', 5]) {
      const answer = await api.put(path(other), { fields: { ...minimal, [key]: wrong, nope: 1 } });
      const message = `${key} must be ${value}, which names the record, or absent`;
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_fields' } });
      expect(answer.body.errors[0]).toEqual({ field: key, message });
      expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([key, 'nope']);
    }
    expect((await api.get(path(value))).status).toBe(404);
  });

  it('of another account are not there [contract 1, contract 7]', async () => {
    const stranger = await service.login('stranger');
    const [value] = spellings(key);
    const id = await create(value);
    expect((await stranger.get(path(value))).status).toBe(404);
    expect((await stranger.patch(path(value), { fields: {} })).status).toBe(404);
    expect((await stranger.delete(path(value))).status).toBe(404);
    const put = await stranger.put(path(value), { fields: minimal });
    expect(put.status).toBe(201);
    expect(put.body.id).not.toBe(id);
    expect((await api.get(path(value))).body).toMatchObject({ id, archived: false });
  });

  if (!own) return;

  it('have one key that a PUT may not take from another record [2.8, contract 7]', async () => {
    const [value] = spellings(key);
    const [external] = spellings('external_id');
    const holder = await api.post(`/${type}`, { fields: { ...minimal, external_id: external } });
    const answer = await api.put(path(value), { fields: { ...minimal, external_id: external } });
    expectDuplicateOf(answer, { external_id: holder.body.id });
    const id = await create(value);
    expectDuplicateOf(await api.put(path(value), { fields: { external_id: external } }), {
      external_id: holder.body.id,
    });
    expect((await api.get(path(value))).body).toMatchObject({ id, external_id: null });
  });
});

it.each(['GET', 'PATCH', 'PUT', 'DELETE'])('%s tells which keys a type has [contract 7]', async (method) => {
  const body = ['PATCH', 'PUT'].includes(method) ? { fields: {} } : undefined;
  for (const bad of ['id', 'first_name', 'EMAIL', '', 'email&id_property=email', 'toString']) {
    const answer = await api.request(method, `/contacts/a@b.example?id_property=${bad}`, body);
    const message = 'id_property must be email or external_id, sent once';
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toContainEqual({ field: 'id_property', message });
  }
});

it('PUT wants a key in place of an id, and lists all that is wrong at once [contract 1, contract 7]', async () => {
  const answer = await api.put(`/contacts/${UNKNOWN_ID}?properties=nope`, {
    fields: { email: 'a@b.example', nope: 1 },
    more: 1,
  });
  expect(answer.status).toBe(400);
  const failed = answer.body.errors.map(({ field }: { field: string }) => field);
  expect(failed.sort()).toEqual(['id_property', 'more', 'nope', 'properties']);
  for (const type of ['contacts', 'deals']) {
    const alone = await api.put(`/${type}/${UNKNOWN_ID}`, { fields: {} });
    expect(alone).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'id_property' } });
    expect(alone.body.message).toMatch(/^id_property is required: /);
  }
});

it.each([
  ['contacts', 'email', '%20'],
  ['contacts', 'email', '%C2%A0'],
  ['companies', 'website_url', '%20'],
  ['companies', 'website_url', 'not%20an%20address'],
  ['companies', 'website_url', 'x'.repeat(5000)],
  ['companies', 'website_url', '__proto__'],
  ['contacts', 'external_id', '%00'],
])(
  'a key that no record of %s can have by %s finds none, and PUT refuses it: %s',
  async (type, key, value) => {
    const before = await storedRecords(service);
    const path = `/${type}/${value}?id_property=${key}`;
    for (const { status } of [
      await api.get(path),
      await api.delete(path),
      await api.patch(path, { fields: {} }),
    ]) {
      expect(status).toBe(404);
    }
    for (const fields of [{ first_name: 'X' }, { [key]: 'other.example' }]) {
      const put = await api.put(path, { fields: type === 'contacts' ? fields : { company_name: 'X' } });
      expect(put).toMatchObject({ status: 400, body: { code: 'invalid_fields' } });
      expect(put.body.errors[0].field).toBe(key);
    }
    expect(await storedRecords(service)).toEqual(before);
  },
);

it.each(['caf%E9', 'a%20b%ZZ', '%ED%A0%80'])(
  'PUT stores no key that it cannot read: %s [contract 7]',
  async (value) => {
    const before = await storedRecords(service);
    const answer = await api.put(`/contacts/${value}?id_property=external_id`, {
      fields: { first_name: 'X' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'The path must be UTF-8, percent-encoded' },
    });
    expect(await storedRecords(service)).toEqual(before);
  },
);

describe('Two e-mails that differ in the form of the domain only', () => {
  const forms = (): readonly [unicode: string, ascii: string, dotted: string] => {
    const n = next++;
    const ascii = new URL(`http://bücher-${n}.example`).hostname;
    return [`ada@bücher-${n}.example`, `ADA@${ascii}`, `ada@BÜCHER-${n}.example.`];
  };
  const path = (email: string): string => `/contacts/${encodeURIComponent(email)}?id_property=email`;
  const create = (email: string): Promise<any> => api.post('/contacts', { fields: { email } });

  it('are one key, and each is shown as it is stored [2.8, contract 3]', async () => {
    const [unicode, ascii, dotted] = forms();
    const { body } = await create(unicode);
    expect(body.email).toBe(unicode);
    for (const form of [unicode, ascii, dotted]) {
      expectDuplicateOf(await create(form), { email: body.id });
      expect((await api.get(path(form))).body).toMatchObject({ id: body.id, email: unicode });
      const updated = await api.patch(path(form), { fields: { email: form } });
      expect(updated).toMatchObject({ status: 200, body: { id: body.id, email: form.toLowerCase() } });
      await api.patch(path(form), { fields: { email: unicode } });
    }
    const { body: other } = await create(forms()[0]);
    expectDuplicateOf(await api.patch(`/contacts/${other.id}`, { fields: { email: ascii } }), {
      email: body.id,
    });
  });

  it('are created and updated by PUT in any form, and by many in one batch [contract 7]', async () => {
    const [unicode, ascii, dotted] = forms();
    const created = await api.put(path(unicode), { fields: { city: 'Ulm' } });
    expect(created).toMatchObject({ status: 201, body: { email: unicode } });
    const updated = await api.put(path(ascii), { fields: { email: dotted, city: 'Bonn' } });
    expect(updated).toMatchObject({ status: 200, body: { id: created.body.id, email: unicode } });
    const inputs = [unicode, ascii, dotted, forms()[0]].map((id) => ({ id, fields: { state: id } }));
    const batch = await api.post('/contacts/batch/upsert', { id_property: 'email', inputs });
    const ids = batch.body.results.map(({ record }: any) => record.id);
    expect(ids.slice(0, 3)).toEqual(Array(3).fill(created.body.id));
    expect(ids[3]).not.toBe(created.body.id);
    const read = await api.post('/contacts/batch/read', {
      id_property: 'email',
      inputs: [dotted, ascii].map((id) => ({ id })),
    });
    expect(read.body.results.map(({ record }: any) => record.id)).toEqual(Array(2).fill(created.body.id));
  });

  it('are free when the e-mail is cleared or the record archived, and named by references', async () => {
    const [unicode, ascii] = forms();
    const deals = RECORD_TYPES.find(({ type }) => type === 'deals');
    const { body } = await create(unicode);
    const deal = await api.post('/deals', {
      fields: { ...deals!.minimal, contact: { email: ascii } },
    });
    expect(deal.status).toBe(201);
    await api.patch(`/contacts/${body.id}`, { fields: { email: null } });
    const { body: second } = await create(ascii);
    expectDuplicateOf(await api.patch(`/contacts/${body.id}`, { fields: { email: unicode } }), {
      email: second.id,
    });
    await api.delete(`/contacts/${second.id}`);
    expect((await api.patch(`/contacts/${body.id}`, { fields: { email: unicode } })).status).toBe(200);
    expectDuplicateOf(await api.post(`/contacts/${second.id}/restore`), { email: body.id });
  });

  it('are one address for searches and triggers, but in parts of it [contract 3, contract 7]', async () => {
    const [unicode, ascii, dotted] = forms();
    const { body } = await create(unicode);
    const found = async (operator: string, value: unknown): Promise<unknown> => {
      const filter = { groups: [{ conditions: [{ field: 'email', operator, value }] }] };
      const hits = (await api.post('/contacts/search', { filter })).body.data.map(({ id }: any) => id);
      return hits.includes(body.id);
    };
    for (const value of [unicode.toUpperCase(), ascii, dotted]) {
      expect([value, await found('eq', value)]).toEqual([value, true]);
      expect([value, await found('in', ['x@x.test', value])]).toEqual([value, true]);
      expect([value, await found('neq', value)]).toEqual([value, false]);
    }
    expect([await found('contains', 'bücher'), await found('contains', 'xn--')]).toEqual([true, false]);
  });
});
