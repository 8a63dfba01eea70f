import type { ApiClient } from '../../support/api-client.js';
import { expectBadField, expectError } from '../../support/error-object.js';
import { historyOf, inShort } from '../../support/history.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';
import { waitFor } from '../../support/wait-for.js';

let service: TestService;
let api: ApiClient;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    routers: [router('Inbound', { overwrite: true }, { users: people(['ada', 'bob']) })],
  });
});
afterAll(() => service.stop());

const short = async (path: string, query?: string, of = api): Promise<string[]> =>
  inShort(await historyOf(of, path, query));

describe.each(RECORD_TYPES)('The history of one of $type', ({ type, minimal, singular, text }) => {
  const create = async (fields: object = {}): Promise<string> =>
    (await api.post(`/${type}`, { fields: { ...minimal, ...fields } })).body.id;
  const created = Object.keys(minimal)
    .sort()
    .map((name) => `${name}: null → ${minimal[name]!}`);

  it('has its creation, each change, archiving and restoring, newest first [contract 7]', async () => {
    const id = await create();
    expect(await short(`/${type}/${id}`)).toEqual(created);
    await api.patch(`/${type}/${id}`, { fields: { [text]: 'one', external_id: id } });
    await api.patch(`/${type}/${id}`, { fields: { [text]: 'two' } });
    await api.patch(`/${type}/${id}`, { fields: { [text]: null } });
    await api.delete(`/${type}/${id}`);
    const archived = await short(`/${type}/${id}`);
    await api.post(`/${type}/${id}/restore`);
    expect(await short(`/${type}/${id}`)).toEqual(['archived: true → false', ...archived]);
    const first = [`${text}: null → one`, `external_id: null → ${id}`].sort();
    const later = ['archived: false → true', `${text}: two → null`, `${text}: one → two`];
    expect(archived).toEqual([...later, ...first, ...created]);
  });

  it('is in pages, of one field or of all [contract 7]', async () => {
    const id = await create({ [text]: 'v0' });
    for (let n = 1; n <= 5; n++) {
      await api.patch(`/${type}/${id}`, { fields: { [text]: `v${n}`, external_id: `${id}-${n}` } });
    }
    const whole = await historyOf(api, `/${type}/${id}`);
    expect(whole).toHaveLength(11 + created.length);
    expect(await historyOf(api, `/${type}/${id}`, 'limit=3')).toEqual(whole);
    const page = await api.get(`/${type}/${id}/history`);
    expect(page.body).toEqual({
      data: whole.slice(0, 10),
      pagination: { limit: 10, next: expect.stringMatching(/^[\w-]+$/) },
    });
    const ofField = whole.filter(({ field }) => field === text);
    expect(ofField).toHaveLength(6);
    expect(await historyOf(api, `/${type}/${id}`, `limit=2&field=${text}`)).toEqual(ofField);
    expect(await short(`/${type}/${id}`, 'field=archived')).toEqual([]);
  });

  it('is refused with all that is wrong, and is missing where the record is [contract 1, contract 7]', async () => {
    const id = await create();
    const path = `/${type}/${id}/history`;
    const missing = { message: `${singular[0]!.toUpperCase()}${singular.slice(1)} not found` };
    const stranger = await service.login('stranger');
    expectError(await stranger.get(path), 404, missing);
    for (const none of [UNKNOWN_ID, 'x', '%00']) {
      expectError(await api.get(`/${type}/${none}/history`), 404, missing);
    }
    const other = RECORD_TYPES.find((each) => each.type !== type)!;
    expect((await api.get(`/${other.type}/${id}/history`)).status).toBe(404);
    const refuses = async (parameter: string, value: string, message: string): Promise<void> => {
      const errors = [{ field: parameter, message }];
      const answer = await api.get(`${path}?${parameter}=${value}`);
      expectError(answer, 400, { field: parameter, message, errors });
    };
    await refuses('field', 'nickname', 'Unknown field: nickname');
    await refuses('field', 'create_date', 'Unknown field: create_date');
    await refuses('field', '', 'field must not be empty');
    for (const none of ['x', 'AAAA', UNKNOWN_ID]) {
      await refuses('after', none, 'after must be the next of another page of this list');
    }
    for (const none of ['0', '101', 'x']) {
      await refuses('limit', none, 'limit must be an integer from 1 to 100');
    }
    const { body } = await api.get(`${path}?field=nickname&limit=0&after=x&more=1`);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      ['after', 'field', 'limit', 'more'].sort(),
    );
  });
});

describe('A change', () => {
  const only = async (id: string, field: string): Promise<any> =>
    (await historyOf(account.api, `/contacts/${id}`, `field=${field}`))[0];

  it('tells the client, by its name of now, and the request [contract 7]', async () => {
    const { body } = await account.api.post(
      '/contacts',
      { fields: { first_name: 'Mary' } },
      { headers: { 'X-Request-Id': 'signup-1' } },
    );
    const [client] = await sql<{ id: string }>(
      service,
      `SELECT c.id FROM api_clients c JOIN accounts a ON a.id = c.account_id WHERE a.slug = $1`,
      [account.slug],
    );
    const by = { kind: 'client', id: client!.id, name: 'Test' };
    const creation = {
      field: 'first_name',
      from: null,
      to: 'Mary',
      at: body.created_at,
      by,
      assignment_id: null,
      request_id: 'signup-1',
    };
    expect(await historyOf(account.api, `/contacts/${body.id}`)).toEqual([creation]);
    const changed = await account.api.patch(`/contacts/${body.id}`, { fields: { city: 'Oslo' } });
    await sql(service, `UPDATE api_clients SET name = 'CRM sync' WHERE id = $1`, [client!.id]);
    expect(await historyOf(account.api, `/contacts/${body.id}`)).toEqual([
      {
        ...creation,
        field: 'city',
        to: 'Oslo',
        at: changed.body.updated_at,
        by: { ...by, name: 'CRM sync' },
        request_id: changed.headers.get('x-request-id'),
      },
      { ...creation, by: { ...by, name: 'CRM sync' } },
    ]);
  });

  it('of an owner by a dispatch tells the router, the assignment and the request [contract 4, contract 7]', async () => {
    const ids = await account.contacts(3);
    const { body, headers } = await account.batch('Inbound', ids);
    for (const [index, id] of ids.entries()) {
      const { user, assignment_id } = body.results[index];
      expect(await only(id, 'contact_owner')).toMatchObject({
        from: null,
        to: user,
        by: { kind: 'router', id: await account.routerId('Inbound'), name: 'Inbound' },
        assignment_id,
        request_id: headers.get('x-request-id'),
      });
    }
    const key = { headers: { 'Idempotency-Key': ids[0]!, 'X-Request-Id': 'keyed' } };
    const asked = { router_id: await account.routerId('Inbound'), object_id: ids[0] };
    const again = await account.api.post('/dispatch/router', asked, key);
    expect(await only(ids[0]!, 'contact_owner')).toMatchObject({
      to: again.body.user,
      assignment_id: again.body.assignment_id,
      request_id: 'keyed',
    });
  });

  it("of an owner field of a router's own has the field and its date [contract 4, contract 7]", async () => {
    await account.apply({
      fields: [{ object_type: 'contacts', internal_name: 'partner', type: 'user' }],
      routers: [router('Partners', { owner_field: 'partner' }, { users: people(['ada']) })],
    });
    const id = await account.contact();
    const { body } = await account.dispatch('Partners', id);
    const { body: record } = await account.api.get(`/contacts/${id}?properties=partner_assigned_date`);
    const changes = await historyOf(account.api, `/contacts/${id}`);
    const made = changes.filter(({ assignment_id }) => assignment_id === body.assignment_id);
    expect(made.map(({ field, from, to }) => [field, from, to])).toEqual([
      ['partner', null, mail('ada')],
      ['partner_assigned_date', null, record.partner_assigned_date],
    ]);
  });

  it('of an owner shows the e-mails of now, and the date when it was assigned [2.5, contract 6]', async () => {
    await account.apply({ users: people(['carol']) });
    const id = await account.contact();
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('carol') } });
    const manager = await service.login(account.slug, ['manage']);
    const { body } = await manager.get('/users?limit=100');
    const carol = body.data.find(({ email }: { email: string }) => email === mail('carol'));
    await manager.patch(`/users/${carol.id}`, { email: mail('caroline') });
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    expect(await short(`/contacts/${id}`, 'field=contact_owner', account.api)).toEqual([
      `contact_owner: ${mail('caroline')} → ${mail('bob')}`,
      `contact_owner: null → ${mail('caroline')}`,
    ]);
    const [date] = await historyOf(account.api, `/contacts/${id}`, 'field=contact_owner_assigned_date');
    expect(date).toMatchObject({ to: date!.at });
  });

  it('that changes nothing is none, and what is refused neither [contract 7]', async () => {
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada', city: 'Oslo' } });
    const path = `/contacts/${body.id}`;
    await api.patch(path, { fields: { city: 'Oslo' } });
    await api.patch(path, { fields: { phone: null } });
    expect((await api.patch(path, { fields: { nickname: 'x' } })).status).toBe(400);
    const refused = {
      inputs: [
        { id: body.id, fields: { city: 'Rome' } },
        { id: 'x', fields: {} },
      ],
    };
    expect((await api.post('/contacts/batch/update', { ...refused, atomic: true })).status).toBe(404);
    expect(await short(path)).toEqual(['city: null → Oslo', 'first_name: null → Ada']);
  });

  it('by SQL, or of a release before, is one of the system, however often [contract 7]', async () => {
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    for (const city of ['Oslo', 'Rome', 'Bern']) {
      await sql(service, `UPDATE records SET fields = fields || $2 WHERE id = $1`, [body.id, { city }]);
    }
    await api.patch(`/contacts/${body.id}`, { fields: { city: 'Graz' } });
    const changes = await historyOf(api, `/contacts/${body.id}`);
    expect(inShort(changes)).toEqual([
      'city: Bern → Graz',
      'city: Rome → Bern',
      'city: Oslo → Rome',
      'city: null → Oslo',
      'first_name: null → Ada',
    ]);
    const system = { kind: 'system', id: null, name: 'system' };
    expect(changes.map(({ by }) => by.kind)).toEqual(['client', 'system', 'system', 'system', 'client']);
    expect(changes[1]).toMatchObject({ by: system, assignment_id: null, request_id: null });
  });
});

it('A page of long values ends before 10 MiB, and the next one goes on [contract 3]', async () => {
  await service.apply(
    `accounts: [{ slug: acme, fields: [{ object_type: contacts, internal_name: notes, label: Notes, type: string, long: true }] }]`,
  );
  const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
  for (let n = 0; n < 24; n++) {
    const fields = { notes: String.fromCharCode(97 + n).repeat(256 * 1024) };
    expect((await api.patch(`/contacts/${body.id}`, { fields })).status).toBe(200);
  }
  const { body: page } = await api.get(`/contacts/${body.id}/history?limit=100`);
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(10 * 1024 * 1024);
  expect(page.data.length).toBeLessThan(24);
  expect(page.data.length).toBeGreaterThan(15);
  expect(await historyOf(api, `/contacts/${body.id}`)).toHaveLength(25);
});

it('A history hides the changes of archived fields, in full pages, and shows them again with the field [contract 6, contract 7]', async () => {
  const fields = [
    { object_type: 'contacts', internal_name: 'secret', type: 'string' },
    { object_type: 'contacts', internal_name: 'seller', type: 'user' },
  ];
  const own = await RoutingAccount.open(service, { users: people(['ada', 'bob']), fields });
  const manager = await service.login(own.slug, ['manage', 'records:read']);
  const id = await own.contact({ secret: 's0', seller: mail('ada') });
  for (let n = 1; n <= 3; n++) {
    await own.api.patch(`/contacts/${id}`, { fields: { secret: `s${n}` } });
    await own.api.patch(`/contacts/${id}`, {
      fields: { city: `c${n}`, seller: mail(n % 2 ? 'bob' : 'ada') },
    });
  }
  const before = await historyOf(manager, `/contacts/${id}`);
  expect(before.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['secret', 'seller_assigned_date']),
  );
  const { body } = await manager.get('/fields?object_type=contacts&limit=100');
  for (const { internal_name } of fields) {
    const found = body.data.find((each: any) => each.internal_name === internal_name);
    expect((await manager.delete(`/fields/${found.id}`)).status).toBe(200);
  }
  const path = `/contacts/${id}/history`;
  const ofField = (field: string) => manager.get(`${path}?field=${field}`);
  // What is read may be of the configuration of two seconds ago.
  await waitFor('the fields to be archived', async () => (await ofField('seller')).status === 400);
  for (const field of ['secret', 'seller', 'seller_assigned_date'])
    expectBadField(await ofField(field), 'field');
  const shown = before.filter(({ field }) => !/^(secret|seller)/.test(field));
  for (const limit of [1, 2, 100])
    expect(await historyOf(manager, `/contacts/${id}`, `limit=${limit}`)).toEqual(shown);
  expect((await manager.get(`${path}?limit=2`)).body.data).toHaveLength(2);
  for (const field of fields) expect((await manager.post('/fields', field)).status).toBe(201);
  expect((await ofField('seller')).status).toBe(200);
  expect(await historyOf(manager, `/contacts/${id}`)).toEqual(before);
});
