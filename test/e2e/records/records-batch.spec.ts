import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;
let api: ApiClient;
let next = 0;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

const newKey = (): string => `batch-${next++}`;
const batch = (action: string, body: object, type = 'contacts'): Promise<ApiResponse> =>
  api.post(`/${type}/batch/${action}`, body);
const statuses = ({ body }: ApiResponse): number[] => body.results.map(({ status }: Json) => status);
const count = async (type = 'contacts'): Promise<number> =>
  (await api.get(`/${type}?limit=1`)).body.pagination.count;

describe.each(RECORD_TYPES)('A batch of $type', ({ type, minimal, text }) => {
  it('does each thing that single requests do [contract 7]', async () => {
    const keys = [newKey(), newKey(), newKey()];
    const inputs = keys.map((external_id) => ({ fields: { ...minimal, external_id } }));
    const created = await batch('create', { inputs, properties: [text] }, type);
    expect(created.status).toBe(200);
    expect(statuses(created)).toEqual([201, 201, 201]);
    expect(created.body.results.map(({ index }: Json) => index)).toEqual([0, 1, 2]);
    const ids: string[] = created.body.results.map(({ record }: Json) => record.id);
    const byId = { inputs: ids.map((id) => ({ id })) };
    const byKey = { inputs: keys.map((id) => ({ id })), id_property: 'external_id' };
    for (const asked of [byId, byKey]) {
      const read = await batch('read', { ...asked, properties: [text] }, type);
      expect(read.body.results.map(({ record }: Json) => record)).toEqual(
        created.body.results.map(({ record }: Json) => record),
      );
    }
    const changed = await batch(
      'update',
      { inputs: ids.map((id) => ({ id, fields: { [text]: id } })), properties: [text] },
      type,
    );
    expect(changed.body.results.map(({ record }: Json) => record[text])).toEqual(ids);
    const upserted = await batch(
      'upsert',
      {
        inputs: [...keys, newKey()].map((id) => ({ id, fields: { ...minimal, [text]: 'u' } })),
        id_property: 'external_id',
      },
      type,
    );
    expect(statuses(upserted)).toEqual([200, 200, 200, 201]);
    expect(upserted.body.results.slice(0, 3).map(({ record }: Json) => record.id)).toEqual(ids);
    expect(statuses(await batch('archive', byKey, type))).toEqual([200, 200, 200]);
    expect(statuses(await batch('archive', byId, type))).toEqual([404, 404, 404]);
    expect(statuses(await batch('restore', byId, type))).toEqual([200, 200, 200]);
    expect(statuses(await batch('restore', byId, type))).toEqual([409, 409, 409]);
    const single = await api.get(`/${type}/${ids[0]}?properties=${text}`);
    expect(
      (await batch('read', { inputs: [{ id: ids[0] }], properties: [text] }, type)).body.results,
    ).toEqual([{ index: 0, status: 200, record: single.body }]);
  });
});

describe('A batch', () => {
  it('answers each input as a request of its own, one after the other [2.9, contract 7]', async () => {
    const email = `${newKey()}@x.example`;
    const inputs = [
      { fields: { email } },
      { fields: { email: email.toUpperCase() } },
      { fields: {} },
      { fields: { nope: 1, email: 'x' } },
      { field: {} },
      7,
      { fields: { first_name: 'A' } },
    ];
    const answer = await batch('create', { inputs });
    expect(statuses(answer)).toEqual([201, 409, 400, 400, 400, 400, 201]);
    const [first, duplicate, , unknown, wrong, none] = answer.body.results;
    expect(duplicate).toMatchObject({ code: 'duplicate', field: 'email', existing_id: first.record.id });
    const single = await api.post('/contacts', { fields: { nope: 1, email: 'x' } });
    expect({ ...unknown, request_id: null }).toEqual({
      index: 3,
      status: 400,
      ...single.body,
      request_id: null,
    });
    expect(unknown.request_id).toBe(answer.headers.get('x-request-id'));
    expect(wrong.errors.map(({ field }: Json) => field)).toEqual(['field', 'fields']);
    expect(none).toMatchObject({
      code: 'invalid_request',
      message: 'An input must be an object with fields',
    });
    const again = await batch('update', {
      inputs: [
        { id: first.record.id, fields: { city: 'A' } },
        { id: first.record.id, fields: { city: 'B' } },
        { id: UNKNOWN_ID, fields: {} },
        { id: 7, fields: {} },
      ],
      properties: ['city'],
    });
    expect(statuses(again)).toEqual([200, 200, 404, 400]);
    expect(again.body.results.slice(0, 2).map(({ record }: Json) => record.city)).toEqual(['A', 'B']);
  });

  it('that is atomic does all or nothing, and tells all that is wrong [contract 7]', async () => {
    const email = `${newKey()}@x.example`;
    const taken = await api.post('/contacts', { fields: { email } });
    const before = await count();
    const good = { fields: { first_name: 'A' } };
    const bad = { fields: { first_name: 'A', nope: 1, amount_x: 2 } };
    const refused = await batch('create', { inputs: [good, { fields: { email } }, bad, good], atomic: true });
    expectError(refused, 409, {
      code: 'duplicate',
      message: expect.stringMatching(/^Input 1: A contact with this email already exists \(and 2 more\)$/),
      errors: [
        { index: 1, field: 'email', message: expect.any(String), existing_id: taken.body.id },
        { index: 2, field: 'nope', message: 'Unknown field: nope' },
        { index: 2, field: 'amount_x', message: 'Unknown field: amount_x' },
      ],
    });
    // The first of the two is not there either, so nothing names it.
    const own = { fields: { email: `${newKey()}@x.example` } };
    const twice = await batch('create', { inputs: [own, own], atomic: true });
    expectError(twice, 409, {
      code: 'duplicate',
      message: 'Input 1: A contact with this email already exists',
      errors: [{ index: 1, field: 'email', message: 'A contact with this email already exists' }],
    });
    expect(await count()).toBe(before);
    expectError(
      await batch('archive', { inputs: [{ id: taken.body.id }, { id: UNKNOWN_ID }], atomic: true }),
      404,
      {
        message: 'Input 1: Contact not found',
        errors: [{ index: 1, message: 'Contact not found' }],
      },
    );
    expect((await api.get(`/contacts/${taken.body.id}`)).body.archived).toBe(false);
    expect(statuses(await batch('create', { inputs: [good, good], atomic: true }))).toEqual([201, 201]);
    expect(await count()).toBe(before + 2);
  });

  it('is refused whole where its form is wrong, with all that is wrong [contract 1, contract 7]', async () => {
    const fieldsOf = ({ status, body }: ApiResponse): unknown => [
      status,
      body.errors?.map(({ field }: Json) => field),
    ];
    const one = [{ fields: {} }];
    expect(
      fieldsOf(
        await batch('create', { inputs: [], atomic: 1, properties: ['nope'], more: 1, id_property: 'email' }),
      ),
    ).toEqual([400, expect.arrayContaining(['inputs', 'atomic', 'more'])]);
    expect(
      fieldsOf(await batch('create', { inputs: one, properties: ['nope'], id_property: 'email' })),
    ).toEqual([400, ['id_property', 'properties']]);
    expect(fieldsOf(await batch('upsert', { inputs: one }))).toEqual([400, ['id_property']]);
    expect(fieldsOf(await batch('read', { inputs: one, id_property: 'first_name' }))).toEqual([
      400,
      ['id_property'],
    ]);
    for (const wrong of [
      { properties: 5 },
      { properties: [5] },
      { id_property: [] },
      { inputs: {} },
      { inputs: 'x' },
    ]) {
      const [field] = Object.keys(wrong);
      expect(fieldsOf(await batch('read', { inputs: one, ...wrong }))).toEqual([400, [field]]);
    }
    const many = Array.from({ length: 501 }, () => ({ id: 'x' }));
    expect(fieldsOf(await batch('read', { inputs: many }))).toEqual([400, ['inputs']]);
    expect(statuses(await batch('read', { inputs: many.slice(1) }))).toEqual(many.slice(1).map(() => 404));
    expect((await batch('delete', { inputs: one })).status).toBe(404);
  });

  it('finds nothing of another account [contract 1, contract 7]', async () => {
    const { body } = await api.post('/contacts', { fields: { external_id: newKey(), first_name: 'A' } });
    const stranger = await service.login('stranger');
    for (const [action, input] of [
      ['read', { id: body.id }],
      ['update', { id: body.id, fields: {} }],
      ['archive', { id: body.id }],
      ['restore', { id: body.id }],
    ] as const) {
      const answer = await stranger.post(`/contacts/batch/${action}`, {
        inputs: [input, { ...input, id: UNKNOWN_ID }],
      });
      const [theirs, none] = answer.body.results;
      expect({ ...theirs, index: 1 }).toEqual(none);
      expect(none).toMatchObject({ status: 404, message: 'Contact not found' });
    }
  });

  it('has its effect once with an Idempotency-Key [contract 7]', async () => {
    const before = await count();
    const options = { headers: { 'Idempotency-Key': newKey() } };
    const body = { inputs: [{ fields: { first_name: 'A' } }, { fields: {} }] };
    const first = await api.post('/contacts/batch/create', body, options);
    const second = await api.post('/contacts/batch/create', body, options);
    expect(statuses(first)).toEqual([201, 400]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await count()).toBe(before + 1);
  });

  it('that is atomic writes nothing where it is refused, with an Idempotency-Key too [contract 7]', async () => {
    const [a, b, taken] = await Promise.all(
      ['A', 'B', 'C'].map(async (name) => {
        const fields = { first_name: name, email: `atomic-${name}@example.com` };
        return (await api.post('/contacts', { fields })).body;
      }),
    );
    const inputs = [
      { id: a.id, fields: { city: 'Oslo' } },
      { id: b.id, fields: { email: taken.email } },
    ];
    const options = { headers: { 'Idempotency-Key': newKey() } };
    for (let n = 0; n < 2; n++) {
      const answer = await api.post('/contacts/batch/update', { atomic: true, inputs }, options);
      expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate', errors: [{ index: 1 }] } });
      const { body } = await api.get(`/contacts/${a.id}?properties=city`);
      expect(body).toMatchObject({ city: null, updated_at: a.updated_at });
    }
  });

  it('that would answer with more than 10 MiB writes nothing [contract 3, contract 7]', async () => {
    const notes = '{ object_type: contacts, internal_name: notes, type: string, long: true }';
    await service.apply(`accounts: [{ slug: long, fields: [${notes}] }]`);
    const other = await service.login('long');
    const { body } = await other.post('/contacts', {
      fields: { first_name: 'A', notes: 'x'.repeat(250_000) },
    });
    const inputs = Array.from({ length: 45 }, () => ({ id: body.id, fields: { first_name: 'B' } }));
    for (const [action, one] of [
      ['read', { id: body.id }],
      ['update', inputs[0]],
    ] as const) {
      const asked = { inputs: inputs.map(() => one), properties: ['notes'] };
      expectError(await other.post(`/contacts/batch/${action}`, asked), 413, {
        code: 'too_large',
        message: expect.stringContaining('more than 10 MiB'),
      });
    }
    expect((await other.get(`/contacts/${body.id}`)).body.first_name).toBe('A');
    expect(statuses(await other.post('/contacts/batch/update', { inputs }))).toEqual(inputs.map(() => 200));
  });

  it('whose errors would have more than 10 MiB writes nothing either [contract 3, contract 7]', async () => {
    const options = Array.from({ length: 10 }, (_, n) => ({
      internal_name: `${n}${'x'.repeat(95)}`,
    }));
    const fields = Array.from({ length: 97 }, (_, n) => ({
      object_type: 'contacts',
      internal_name: `e${n}`,
      type: 'enumeration',
      options,
    }));
    await service.apply(`accounts: ${JSON.stringify([{ slug: 'wordy', fields }])}`);
    const other = await service.login('wordy');
    const wrong = { fields: Object.fromEntries(fields.map((each) => [each.internal_name, 'x'])) };
    const right = { fields: { first_name: 'A' } };
    const inputs = [right, ...Array.from({ length: 499 }, () => wrong)];
    expectError(await other.post('/contacts/batch/create', { inputs }), 413, {
      code: 'too_large',
      message: expect.stringContaining('more than 10 MiB'),
    });
    expect((await other.get('/contacts')).body.pagination.count).toBe(0);
  });
});
