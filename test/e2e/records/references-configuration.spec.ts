import type { ApiClient } from '../../support/api-client.js';
import { expectBadField } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';
import { ApplyService } from '../../../src/management/index.js';

let service: TestService;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  admin = await service.login('acme', ['manage', 'records:read', 'records:write', 'dispatch']);
});
afterAll(() => service.stop());

const PARENT = { object_type: 'companies', internal_name: 'parent', label: 'Parent', type: 'reference' };
const exported = async (slug: string): Promise<any> =>
  (await service.app.get(ApplyService, { strict: false }).export(service.slug(slug))).accounts[0];
const fieldsOf = async (objectType: string, api = admin): Promise<any[]> =>
  (await api.get(`/fields?limit=100&object_type=${objectType}`)).body.data;

describe('a field of type reference', () => {
  it('is listed with what it names [contract 6, contract 7]', async () => {
    const deals = await fieldsOf('deals');
    expect(deals.filter(({ type }) => type === 'reference')).toMatchObject([
      { internal_name: 'company', standard: true, target_object_type: 'companies' },
      { internal_name: 'contact', standard: true, target_object_type: 'contacts' },
    ]);
    expect(deals.find(({ internal_name }) => internal_name === 'amount')).not.toHaveProperty(
      'target_object_type',
    );
    expect((await exported('acme')).fields).toEqual([]);
  });

  it('is made by the API, for a type that is required and never changes [contract 6, contract 7]', async () => {
    expectBadField(await admin.post('/fields', PARENT), 'target_object_type');
    expectBadField(
      await admin.post('/fields', { ...PARENT, target_object_type: 'leads' }),
      'target_object_type',
    );
    const text = { ...PARENT, internal_name: 'note', type: 'string', target_object_type: 'companies' };
    expectBadField(await admin.post('/fields', text), 'target_object_type');
    const sent = { ...PARENT, target_object_type: 'companies' };
    const created = await admin.post('/fields', sent);
    expect(created).toMatchObject({ status: 201, body: { ...sent, standard: false } });
    const path = `/fields/${created.body.id}`;
    expectBadField(await admin.patch(path, { target_object_type: 'contacts' }), 'target_object_type');
    const changed = await admin.patch(path, { label: 'Group', target_object_type: 'companies' });
    expect(changed).toMatchObject({ status: 200, body: { label: 'Group', target_object_type: 'companies' } });
    const { id } = (await admin.post('/companies', { fields: { company_name: 'A' } })).body;
    const child = await admin.post('/companies?properties=parent', {
      fields: { company_name: 'B', parent: id },
    });
    expect(child.body.parent).toBe(id);
  });

  it('is exported, and applied to another account [contract 5, contract 7]', async () => {
    await service.apply(`accounts: [{ slug: acme, fields: [
      { object_type: contacts, internal_name: advisor, type: reference, target_object_type: contacts },
      { object_type: deals, internal_name: company, label: Buyer }] }]`);
    const { fields } = await exported('acme');
    expect(fields).toContainEqual({
      object_type: 'contacts',
      internal_name: 'advisor',
      label: 'advisor',
      type: 'reference',
      target_object_type: 'contacts',
    });
    expect(fields).toContainEqual({
      object_type: 'deals',
      internal_name: 'company',
      label: 'Buyer',
      type: 'reference',
      target_object_type: 'companies',
    });
    await service.apply(JSON.stringify({ accounts: [{ slug: 'copy', fields }] }));
    expect((await exported('copy')).fields).toEqual(fields);
    await service.apply(JSON.stringify({ accounts: [{ slug: 'copy', fields }] }));
    expect((await exported('copy')).fields).toEqual(fields);
  });

  it('cannot be removed where it is standard [contract 6, contract 7]', async () => {
    const { id } = (await fieldsOf('contacts')).find(({ internal_name }) => internal_name === 'company');
    expect((await admin.delete(`/fields/${id}`)).status).toBe(409);
  });
});

describe('a file with a custom field that has the name of a standard reference', () => {
  const FILE = (slug: string): string => `accounts: [{ slug: ${slug}, fields: [
    { object_type: contacts, internal_name: company, label: Employer, type: string },
    { object_type: deals, internal_name: contact, type: enumeration, options: [{ internal_name: phone }] }] }]`;

  it('makes an account with the custom field, as before there were references [contract 5, contract 7]', async () => {
    await service.apply(FILE('older'));
    await service.apply(FILE('older'));
    const api = await service.login('older', ['manage', 'records:read', 'records:write']);
    const contacts = (await fieldsOf('contacts', api)).filter(
      ({ internal_name }) => internal_name === 'company',
    );
    expect(contacts).toMatchObject([{ type: 'string', standard: false, label: 'Employer' }]);
    const [deal] = (await fieldsOf('deals', api)).filter(({ type }) => type === 'reference');
    expect(deal).toMatchObject({ internal_name: 'company', standard: true });
    const made = await api.post('/contacts?properties=company', {
      fields: { first_name: 'Ada', company: 'Acme' },
    });
    expect(made.body.company).toBe('Acme');
    expectBadField(await api.get(`/contacts/${made.body.id}?expand=company`), 'expand');
    const { fields } = await exported('older');
    expect(fields).toMatchObject([
      { internal_name: 'company', type: 'string', label: 'Employer' },
      { internal_name: 'contact', type: 'enumeration', options: [{ internal_name: 'phone' }] },
    ]);
    await service.apply(JSON.stringify({ accounts: [{ slug: 'older-copy', fields }] }));
    expect((await exported('older-copy')).fields).toEqual(fields);
  });

  it('is refused for an account that has the reference [contract 5, contract 7]', async () => {
    await service.apply('accounts: [{ slug: newer }]');
    await expect(service.apply(FILE('newer'))).rejects.toThrow(/type of contacts.company is reference/);
  });
});

describe('a trigger over a reference', () => {
  it('compares ids [contract 4, contract 7]', async () => {
    const { id } = (await admin.post('/companies', { fields: { company_name: 'Key' } })).body;
    const router = (operator: string, value?: unknown): object => ({
      name: `By company ${operator}`,
      object_type: 'contacts',
      settings: { trigger: { groups: [{ conditions: [{ field: 'company', operator, value }] }] } },
    });
    for (const [operator, value] of [
      ['contains', id.slice(0, 8)],
      ['eq', 'key.example'],
      ['in', [{ external_id: 'x' }]],
    ] as const) {
      expect((await admin.post('/routers', router(operator, value))).status).toBe(400);
    }
    const matches = async (operator: string, value: unknown, fields: object): Promise<boolean> => {
      const made = await admin.post('/routers', router(operator, value));
      expect(made.status).toBe(201);
      const contact = (await admin.post('/contacts', { fields: { first_name: 'Ada', ...fields } })).body;
      const asked = { router_id: made.body.id, object_id: contact.id, version: 'draft' };
      const { body } = await admin.post('/dispatch/simulate', asked);
      return body.reason !== 'trigger_not_matched';
    };
    expect(await matches('eq', id.toUpperCase(), { company: id })).toBe(true);
    expect(await matches('neq', id, { company: id })).toBe(false);
    expect(await matches('is_empty', undefined, {})).toBe(true);
    expect(await matches('is_not_empty', undefined, { company: id })).toBe(true);
  });

  it('sees what a simulated record names, by id or key [contract 6, contract 7]', async () => {
    const external_id = 'simulated';
    const company = await admin.post('/companies', { fields: { company_name: 'Key', external_id } });
    const { id } = company.body;
    const router = await admin.post('/routers', {
      name: 'Of one company',
      object_type: 'contacts',
      settings: { trigger: { groups: [{ conditions: [{ field: 'company', operator: 'eq', value: id }] }] } },
    });
    const simulate = (fields: object, more: object = {}): ReturnType<ApiClient['post']> =>
      admin.post('/dispatch/simulate', { router_id: router.body.id, version: 'draft', fields, ...more });
    for (const named of [id, { external_id }]) {
      const { status, body } = await simulate({ company: named });
      expect([status, body.reason]).not.toEqual([200, 'trigger_not_matched']);
      expect(status).toBe(200);
    }
    expect((await simulate({ company: null })).body.reason).toBe('trigger_not_matched');
    const refused = await simulate({ company: { external_id: 'nobody' } });
    expect(refused).toMatchObject({ status: 400, body: { field: 'company' } });
    const both = await simulate({ company: { external_id } }, { nothing: 1 });
    expect(both.body.errors).toEqual([expect.objectContaining({ field: 'nothing' })]);
  });
});
