import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { ISO_TIME, RECORD_TYPES, USERS } from '../../support/record-types.js';
import { backdate, LONG_AGO, storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const CUSTOM = `fields: [{ object_type: contacts, internal_name: account_manager, type: user }]`;

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS}, ${CUSTOM} }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('System-managed fields of $type', ({ type, owner, minimal, text }) => {
  const names = [
    'id',
    'archived',
    'archived_by',
    'created_at',
    'updated_at',
    'record_id',
    'create_date',
    'last_modified_date',
    ...RECORD_TYPES.map((each) => `${each.owner}_assigned_date`),
    'account_owner_assigned_date',
  ];
  const assigned = `${owner}_assigned_date`;

  async function create(fields: object): Promise<any> {
    const { status, body } = await api.post(`/${type}?properties=${assigned}`, {
      fields: { ...minimal, ...fields },
    });
    expect(status).toBe(201);
    return body;
  }

  async function update(id: string, fields: object): Promise<any> {
    const { status, body } = await api.patch(`/${type}/${id}?properties=${assigned}`, { fields });
    expect(status).toBe(200);
    return body;
  }

  it.each(names)('%s cannot be set, whatever the value [2.5, 7, contract 3]', async (name) => {
    const { id } = await create({});
    const before = await storedRecords(service);
    for (const value of ['2026-03-01T00:00:00.000Z', 'x', 1, true, false, null, '', {}]) {
      const fields = { ...minimal, [name]: value };
      for (const response of [
        await api.post(`/${type}`, { fields }),
        await api.patch(`/${type}/${id}`, { fields: { [name]: value, [text]: 'Changed' } }),
      ]) {
        expectInvalid(response, [name, `Field cannot be set: ${name}`]);
      }
    }
    expect(await storedRecords(service)).toEqual(before);
  });

  it('are all named when several are sent [2.5, 2.6, contract 1]', async () => {
    const fields = Object.fromEntries(names.map((name) => [name, 'x']));
    const failures = names.map((name) => [name, `Field cannot be set: ${name}`] as const);
    expectInvalid(await api.post(`/${type}`, { fields: { ...minimal, ...fields } }), ...failures);
  });

  it('the assigned date is empty until an owner is set [2.5]', async () => {
    const { [assigned]: date } = await create({});
    expect(date).toBeNull();
  });

  it('the assigned date is set with the owner on create [2.5]', async () => {
    const body = await create({ [owner]: 'ada@acme.test' });
    expect(body[assigned]).toMatch(ISO_TIME);
    expect(body[assigned]).toBe(body.created_at);
  });

  it('the assigned date is set with the owner on update, and left alone by other updates [2.5, 3]', async () => {
    const { id } = await create({});
    expect((await update(id, { [text]: 'A' }))[assigned]).toBeNull();
    expect((await update(id, { [owner]: 'ada@acme.test' }))[assigned]).toMatch(ISO_TIME);
    await backdate(service, id);
    expect((await update(id, { [text]: 'B' }))[assigned]).toBe(LONG_AGO);
    const changed = await update(id, { [owner]: 'grace@acme.test' });
    expect(changed[assigned]).toBe(changed.updated_at);
    expect(changed[owner]).toBe('grace@acme.test');
  });

  it('the assigned date is set anew by the same owner, who is included in the request [2.5]', async () => {
    const { id } = await create({ [owner]: 'ada@acme.test' });
    await backdate(service, id);
    const body = await update(id, { [owner]: 'ada@acme.test' });
    expect(body[assigned]).toBe(body.updated_at);
    expect(body[assigned] > LONG_AGO).toBe(true);
  });

  it.each([null, ''])(
    'the assigned date is cleared with the owner by %j [2.5, contract 3]',
    async (empty) => {
      const { id } = await create({ [owner]: 'ada@acme.test' });
      expect(await update(id, { [owner]: empty })).toMatchObject({ [owner]: null, [assigned]: null });
      const { body } = await api.get(`/${type}/${id}?properties=${assigned}`);
      expect(body).toMatchObject({ [owner]: null, [assigned]: null });
      expect(await create({ [owner]: empty })).toMatchObject({ [owner]: null, [assigned]: null });
    },
  );

  it('the assigned date survives archiving [2.5, 3]', async () => {
    const { id } = await create({ [owner]: 'ada@acme.test' });
    await backdate(service, id);
    await api.delete(`/${type}/${id}`);
    const { body } = await api.get(`/${type}/${id}?properties=${assigned},last_modified_date`);
    expect(body).toMatchObject({ [assigned]: LONG_AGO, last_modified_date: LONG_AGO });
  });
});

describe('Two owners of one record', () => {
  const properties = 'properties=contact_owner_assigned_date,account_manager,account_manager_assigned_date';

  it('each have an assigned date of their own [2.5]', async () => {
    const fields = { first_name: 'Ada', contact_owner: 'ada@acme.test', account_manager: 'grace@acme.test' };
    const { body } = await api.post('/contacts', { fields });
    await backdate(service, body.id);
    const path = `/contacts/${body.id}?${properties}`;
    const changed = await api.patch(path, { fields: { account_manager: 'ada@acme.test' } });
    expect(changed.body).toMatchObject({
      contact_owner_assigned_date: LONG_AGO,
      account_manager_assigned_date: changed.body.updated_at,
    });
    const cleared = await api.patch(path, { fields: { contact_owner: null } });
    expect(cleared.body).toMatchObject({
      contact_owner_assigned_date: null,
      account_manager: 'ada@acme.test',
      account_manager_assigned_date: changed.body.updated_at,
    });
  });

  it('have dates that cannot be set, of a custom user field neither [2.5]', async () => {
    const name = 'account_manager_assigned_date';
    const response = await api.post('/contacts', { fields: { first_name: 'Ada', [name]: LONG_AGO } });
    expectInvalid(response, [name, `Field cannot be set: ${name}`]);
  });
});
