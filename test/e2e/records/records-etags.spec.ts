import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
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

const tagOf = ({ headers }: ApiResponse): string => headers.get('etag')!;
const given = (name: string, value: string): { headers: Record<string, string> } => ({
  headers: { [name]: value },
});
const STALE = '"1-00000000"';
const added = (tag: string, suffix: string): string => `${tag.slice(0, -1)}${suffix}"`;
/** What proxies that compress make of a tag. */
const proxied = (tag: string): string[] => [
  `W/${tag}`,
  added(tag, '-gzip'),
  added(tag, '--gzip'),
  `W/${added(tag, ';br')}`,
];

describe.each(RECORD_TYPES)('The ETag of $type', ({ type, minimal, singular, text }) => {
  const named = (value: string): string => `/${type}/${value}?id_property=external_id`;
  const create = async (): Promise<{ path: string; key: string; tag: string }> => {
    const key = `tagged-${next++}`;
    const created = await api.post(`/${type}`, { fields: { ...minimal, external_id: key } });
    return { path: `/${type}/${created.body.id}`, key, tag: tagOf(created) };
  };

  it('is on every answer that is one record, and differs after each change [contract 7]', async () => {
    const { path, key, tag } = await create();
    const tags = [tag];
    for (const write of [
      () => api.patch(path, { fields: { [text]: 'a' } }),
      () => api.patch(path, { fields: { [text]: null } }),
      () => api.patch(path, { fields: {} }),
      () => api.put(named(key), { fields: { [text]: 'b' } }),
      () => api.patch(named(key), { fields: { [text]: 'c' } }),
      () => api.delete(path),
      () => api.post(`${path}/restore`),
      () => api.delete(named(key)),
    ]) {
      const before = await api.get(path);
      expect(tagOf(before)).toBe(tags.at(-1));
      const answer = await write();
      expect(answer.status).toBe(200);
      tags.push(tagOf(answer));
    }
    for (const each of tags) expect(each).toMatch(/^"\d+-[0-9a-f]{8}"$/);
    expect(new Set(tags).size).toBe(tags.length);
    const created = await api.put(named(`new-${next++}`), { fields: minimal });
    expect(created.status).toBe(201);
    expect(tagOf(await api.get(`/${type}/${created.body.id}`))).toBe(tagOf(created));
  });

  it('answers 304 to a GET of what is known, and of no other selection [contract 7]', async () => {
    const { path, key, tag } = await create();
    for (const at of [path, named(key)]) {
      for (const known of [tag, ...proxied(tag), `${STALE}, ${tag}`, '*']) {
        const answer = await api.get(at, given('If-None-Match', known));
        expect(answer).toMatchObject({ status: 304, body: undefined });
        expect(tagOf(answer)).toBe(tag);
      }
      expect(await api.get(at, given('If-None-Match', STALE))).toMatchObject({
        status: 200,
        body: { archived: false },
      });
    }
    const wider = await api.get(`${path}?properties=create_date`, given('If-None-Match', tag));
    expect(wider).toMatchObject({ status: 200, body: { create_date: expect.any(String) } });
    expect(tagOf(wider)).not.toBe(tag);
    await api.patch(path, { fields: { [text]: 'changed' } });
    expect((await api.get(path, given('If-None-Match', tag))).status).toBe(200);
  });

  it('lets a write happen only to what was read [contract 7]', async () => {
    const { path, key, tag } = await create();
    const selected = tagOf(await api.get(`${path}?properties=create_date`));
    const writes: ((options: { headers: Record<string, string> }) => Promise<ApiResponse>)[] = [
      (options) => api.patch(path, { fields: { [text]: `${next++}` } }, options),
      (options) => api.patch(named(key), { fields: { [text]: `${next++}` } }, options),
      (options) => api.put(named(key), { fields: { [text]: `${next++}` } }, options),
      (options) => api.patch(path, { fields: { external_id: key } }, options),
      (options) => api.delete(path, options),
      (options) => api.post(`${path}/restore`, undefined, options),
      (options) => api.delete(named(key), options),
    ];
    let current = [tag, selected];
    for (const write of writes) {
      for (const wrong of [STALE, ...proxied(STALE), added(current[0]!, 'x-gzip'), '"x"', `${STALE}, "y"`]) {
        expectError(await write(given('If-Match', wrong)), 412, {
          code: 'precondition_failed',
          message: expect.stringContaining('as If-Match says'),
        });
      }
      const answer = await write(given('If-Match', `"a,b" ,${current.at(-1)}`));
      expect(answer.status).toBe(200);
      const isActive = (await api.get(path)).body.archived === false;
      expect((await write(given('If-Match', current[0]!))).status).toBe(isActive ? 412 : 404);
      current = [tagOf(answer)];
    }
  });

  it('is what a proxy that compresses makes of it, too [contract 7]', async () => {
    const created = await create();
    let { tag } = created;
    for (const [index] of proxied(tag).entries()) {
      const options = given('If-Match', proxied(tag)[index]!);
      const answer = await api.patch(created.path, { fields: { [text]: `${next++}` } }, options);
      expect(answer.status).toBe(200);
      tag = tagOf(answer);
    }
  });

  it('may stand between empty elements of a list, as in RFC 9110 [contract 7]', async () => {
    const { path, tag } = await create();
    for (const list of [`${STALE}, ,`, `, ${STALE} ,, "x"`]) {
      expect((await api.patch(path, { fields: {} }, given('If-Match', list))).status).toBe(412);
    }
    expect((await api.patch(path, { fields: {} }, given('If-Match', `, ${tag},`))).status).toBe(200);
  });

  it('does not tell what is not there from what another account has [contract 1, contract 7]', async () => {
    const { path, tag } = await create();
    const stranger = await service.login('stranger');
    const options = given('If-Match', tag);
    for (const at of [path, `/${type}/${UNKNOWN_ID}`]) {
      expect((await stranger.patch(at, { fields: {} }, options)).status).toBe(404);
      expect((await stranger.delete(at, options)).status).toBe(404);
      expect((await stranger.post(`${at}/restore`, undefined, options)).status).toBe(404);
      expect((await stranger.get(at, given('If-None-Match', '*'))).status).toBe(404);
    }
  });

  it('is asked of PUT before it creates or changes [contract 7]', async () => {
    const key = `put-${next++}`;
    for (const match of ['*', STALE]) {
      expectError(await api.put(named(key), { fields: minimal }, given('If-Match', match)), 412, {
        code: 'precondition_failed',
        message: `There is no ${singular} as If-Match says`,
      });
    }
    const isNew = given('If-None-Match', '*');
    expect((await api.put(named(key), { fields: minimal }, isNew)).status).toBe(201);
    expectError(await api.put(named(key), { fields: minimal }, isNew), 412, {
      code: 'precondition_failed',
      message: `A ${singular} has this key already (If-None-Match: *)`,
    });
    expect((await api.put(named(key), { fields: {} }, given('If-Match', '*'))).status).toBe(200);
  });

  it('must be one, and what is wrong is listed with all else [contract 1, contract 7]', async () => {
    const { path, key } = await create();
    for (const bad of [
      '',
      'x',
      '"',
      '"a" "b"',
      ' , ,',
      '"a",, "b',
      'W/',
      `w/${STALE}`,
      '* , "a"',
      '"a\tb"',
      '"'.repeat(7_999),
    ]) {
      const answer = await api.patch(`${path}?limit=1`, { fields: { nope: 1 } }, given('If-Match', bad));
      expect(answer.status).toBe(400);
      expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
        'limit',
        'If-Match',
        'nope',
      ]);
    }
    const options = { headers: { 'If-None-Match': STALE, 'If-Match': '1' } };
    const answer = await api.put(named(key), { fields: {} }, options);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'If-Match',
      'If-None-Match',
    ]);
  });
});

it('An ETag changes with the e-mail of an owner [contract 6, contract 7]', async () => {
  const admin = await service.login('acme', ['manage']);
  const user = await admin.post('/users', { email: 'before@acme.example', name: 'Ada' });
  expect(user.status).toBe(201);
  const { body } = await api.post('/contacts', {
    fields: { email: 'owned@x.example', contact_owner: 'before@acme.example' },
  });
  const path = `/contacts/${body.id}`;
  const tag = tagOf(await api.get(path));
  expect((await admin.patch(`/users/${user.body.id}`, { email: 'after@acme.example' })).status).toBe(200);
  const changed = await api.get(path, given('If-None-Match', tag));
  expect(changed).toMatchObject({ status: 200, body: { contact_owner: 'after@acme.example' } });
  expect((await api.patch(path, { fields: {} }, given('If-Match', tag))).status).toBe(200);
});
