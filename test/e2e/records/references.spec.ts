// A service of its own: it has another limit of records.
import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { inPortions } from '../../support/in-portions.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;
let stranger: ApiClient;
let next = 0;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        users: [{ email: ada@acme.test }]
        fields:
          - { object_type: companies, internal_name: parent, type: reference, target_object_type: companies }
          - { object_type: contacts, internal_name: ticket, type: reference, target_object_type: tickets }
      - slug: other`);
  api = await service.login('acme');
  stranger = await service.login('other');
});
afterAll(() => service.stop());

const MINIMAL = Object.fromEntries(RECORD_TYPES.map(({ type, minimal }) => [type, minimal]));

async function create(type: string, fields: object = {}, by = api): Promise<any> {
  const { status, body } = await by.post(`/${type}`, { fields: { ...MINIMAL[type], ...fields } });
  expect(status).toBe(201);
  return body;
}

/** The standard references, by type. */
const STANDARD = [
  ['contacts', 'company', 'companies'],
  ['deals', 'company', 'companies'],
  ['deals', 'contact', 'contacts'],
  ['tickets', 'company', 'companies'],
  ['tickets', 'contact', 'contacts'],
] as const;

describe.each(STANDARD)('%s.%s', (type, name, target) => {
  const shown = `?properties=${name}`;
  const singular = target === 'companies' ? 'company' : 'contact';

  it('takes the id of a record, in any case, and answers it [contract 7]', async () => {
    const { id } = await create(target);
    const fields = { ...MINIMAL[type], [name]: id.toUpperCase() };
    const created = await api.post(`/${type}${shown}`, { fields });
    expect(created).toMatchObject({ status: 201, body: { [name]: id } });
    const read = await api.get(`/${type}/${created.body.id}${shown}`);
    expect(read.body).toEqual(created.body);
    expect((await api.get(`/${type}/${created.body.id}`)).body).not.toHaveProperty(name);
  });

  it('takes each unique key of the record, as the field of the key takes it [contract 7]', async () => {
    const host = `ref-${next++}.example`;
    const key = target === 'companies' ? { website_url: host } : { email: `ada@${host}` };
    const { id } = await create(target, { ...key, external_id: host });
    const spelled =
      target === 'companies'
        ? { website_url: `https://www.${host.toUpperCase()}/about` }
        : { email: ` ADA@${host}` };
    const record = await create(type);
    const path = `/${type}/${record.id}`;
    for (const value of [spelled, { external_id: host }]) {
      const cleared = await api.patch(path + shown, { fields: { [name]: null } });
      expect(cleared).toMatchObject({ status: 200, body: { [name]: null } });
      const set = await api.patch(path + shown, { fields: { [name]: value } });
      expect(set).toMatchObject({ status: 200, body: { [name]: id } });
    }
    expect((await api.patch(path + shown, { fields: { [name]: '' } })).body[name]).toBeNull();
  });

  it('takes nothing else, and tells nothing of what there is [1, contract 7]', async () => {
    const archived = await create(target, { external_id: `gone-${next}` });
    await api.delete(`/${target}/${archived.id}`);
    const theirs = await create(target, { external_id: `theirs-${next++}` }, stranger);
    const wrong = await create('deals');
    const messages = new Set<string>();
    for (const value of [
      'x',
      UNKNOWN_ID,
      archived.id,
      theirs.id,
      wrong.id,
      { external_id: archived.external_id },
      { external_id: theirs.external_id },
      { external_id: 'nobody' },
    ]) {
      const refused = await api.post(`/${type}`, { fields: { ...MINIMAL[type], [name]: value } });
      expectInvalid(refused, [name, new RegExp(`^Unknown ${singular}: ${name} must be the id of an active`)]);
      messages.add(refused.body.message);
    }
    expect(messages.size).toBe(1);
  });
});

describe('a write with references', () => {
  it('by PUT sets them, in a new record and in one that is there [contract 7]', async () => {
    const { id } = await create('companies', { external_id: `put-${next++}` });
    const other = await create('companies');
    const path = `/deals/put-${next++}?id_property=external_id&properties=company`;
    const fields = { ...MINIMAL['deals'], company: id };
    expect(await api.put(path, { fields })).toMatchObject({ status: 201, body: { company: id } });
    const again = await api.put(path, { fields: { company: other.id } });
    expect(again).toMatchObject({ status: 200, body: { company: other.id } });
    expectInvalid(await api.put(path, { fields: { company: UNKNOWN_ID } }), ['company', /^Unknown company/]);
  });

  it('that fails says all that is wrong with it [contract 1, contract 7]', async () => {
    const refused = await api.post('/deals?properties=nothing', {
      fields: {
        company: { website_url: 'no host!' },
        contact: { email: 'nobody@acme.test' },
        amount: 'many',
        deal_name: 'x',
      },
    });
    expectInvalid(
      refused,
      ['properties', /nothing/],
      ['company', /^company: website_url must be a web address/],
      ['contact', /^Unknown contact/],
      ['amount', /number/],
      ['deal_stage', /Required/],
      ['pipeline', /Required/],
    );
    for (const company of [5, [], {}, { email: 'a@b.test' }, { website_url: 'a.test', external_id: 'a' }]) {
      const shape = await api.post('/deals', { fields: { ...MINIMAL['deals'], company } });
      expectInvalid(shape, ['company', /^company must be the id of an active company, or \{"website_url"/]);
    }
    for (const value of ['', null, ['x'], { a: 1 }]) {
      const key = await api.post('/deals', {
        fields: { ...MINIMAL['deals'], company: { external_id: value } },
      });
      expectInvalid(key, ['company', /^company: external_id must/]);
    }
  });

  it('of one record to itself keeps it, in custom fields too [contract 7]', async () => {
    const { id } = await create('companies');
    const path = `/companies/${id}`;
    const set = await api.patch(`${path}?properties=parent`, { fields: { parent: id } });
    expect(set.body).toMatchObject({ id, parent: id });
    const { body } = await api.get(`${path}?expand=parent`);
    expect(body.parent).toMatchObject({ id, company_name: 'Acme' });
    expect(body.parent).not.toHaveProperty('parent');
  });
});

describe('expand', () => {
  it('shows records in place of ids, of an item by id and by key [contract 7]', async () => {
    const company = await create('companies', { industry: 'Steel' });
    const contact = await create('contacts', { company: company.id });
    const external_id = `expand-${next++}`;
    const deal = await create('deals', { company: company.id, contact: contact.id, external_id });
    const view = (await api.get(`/companies/${company.id}`)).body;
    const expanded = { ...deal, company: view, contact };
    for (const query of [
      'expand=company,contact',
      'expand=company&expand=contact,company&properties=contact',
    ]) {
      expect((await api.get(`/deals/${deal.id}?${query}`)).body).toEqual(expanded);
      const byKey = await api.get(`/deals/${external_id}?id_property=external_id&${query}`);
      expect(byKey.body).toEqual(expanded);
    }
    const one = await api.get(`/deals/${deal.id}?expand=company&properties=contact`);
    expect(one.body).toEqual({ ...deal, company: view, contact: contact.id });
    const empty = await create('deals');
    expect((await api.get(`/deals/${empty.id}?expand=company`)).body).toEqual({ ...empty, company: null });
  });

  it('shows an archived record as it is, and the id stays [contract 7]', async () => {
    const company = await create('companies');
    const contact = await create('contacts', { company: company.id });
    const { body: gone } = await api.delete(`/companies/${company.id}`);
    const path = `/contacts/${contact.id}`;
    expect((await api.get(`${path}?properties=company`)).body.company).toBe(company.id);
    expect((await api.get(`${path}?expand=company`)).body.company).toEqual(gone);
    const kept = await api.patch(`${path}?properties=company`, { fields: { job_title: 'Boss' } });
    expect(kept).toMatchObject({ status: 200, body: { company: company.id } });
    const again = await api.patch(path, { fields: { company: company.id } });
    expectInvalid(again, ['company', /^Unknown company/]);
  });

  it('shows lists with the same records in many rows, from page to page [contract 7]', async () => {
    const lister = await service.login('lists');
    const companies: any[] = [];
    for (let n = 0; n < 3; n++) companies.push(await create('companies', { company_name: `C${n}` }, lister));
    for (let n = 0; n < 8; n++) {
      const company = n % 4 === 3 ? null : companies[n % 4].id;
      await create('contacts', { first_name: `N${n}`, company }, lister);
    }
    const shown = (row: any): unknown => [row.first_name, row.company?.company_name ?? null];
    const { body } = await lister.get('/contacts?expand=company&limit=6');
    expect(body.pagination).toMatchObject({ limit: 6, offset: 0, count: 8, next: expect.any(String) });
    expect(body.data.map(shown)).toEqual([
      ['N0', 'C0'],
      ['N1', 'C1'],
      ['N2', 'C2'],
      ['N3', null],
      ['N4', 'C0'],
      ['N5', 'C1'],
    ]);
    expect(body.data[4].company).toEqual(companies[0]);
    const rest = await lister.get(`/contacts?expand=company&after=${body.pagination.next}`);
    expect(rest.body.data.map(shown)).toEqual([
      ['N6', 'C2'],
      ['N7', null],
    ]);
    expect(rest.body.pagination.next).toBeNull();
    const [plain] = (await lister.get('/contacts?properties=company&limit=1')).body.data;
    expect(plain.company).toBe(companies[0].id);
  });

  it('ends a page where it would exceed 10 MiB, and the next one goes on [contract 3, contract 7]', async () => {
    const roomy = await TestService.start({ recordLimit: '512kb' });
    const lister = await roomy.login('large');
    // Control characters take six bytes each in JSON.
    const large = '\u0001'.repeat(16 * 1024);
    const fields = { company_name: large, description: large, industry: large };
    const companies = await inPortions(40, 8, (n) =>
      create('companies', { ...fields, external_id: `large-${n}` }, lister),
    );
    for (const [n, { id }] of companies.entries())
      await create('contacts', { external_id: `large-${n}`, company: id }, lister);
    const seen: string[] = [];
    const sizes: number[] = [];
    let after = '';
    for (;;) {
      const { body } = await lister.get(`/contacts?expand=company&limit=100${after}`);
      sizes.push(Buffer.byteLength(JSON.stringify(body)));
      seen.push(...body.data.map((row: any) => row.company.external_id));
      if (body.pagination.next === null) break;
      after = `&after=${body.pagination.next}`;
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(sizes.length).toBe(2);
    expect(seen).toEqual(companies.map((_, n) => `large-${n}`));
    await roomy.stop();
  });

  it('names users by the e-mails that they have now [contract 6, contract 7]', async () => {
    const manager = await service.login('acme', ['manage', 'records:read', 'records:write']);
    const company = await create('companies', { company_owner: 'ada@acme.test' });
    const contact = await create('contacts', { company: company.id, contact_owner: 'ada@acme.test' });
    const users = (await manager.get('/users')).body.data;
    const { id } = users.find(({ email }: any) => email === 'ada@acme.test');
    expect((await manager.patch(`/users/${id}`, { email: 'ada.king@acme.test' })).status).toBe(200);
    const renamed = { contact_owner: 'ada.king@acme.test', company: { company_owner: 'ada.king@acme.test' } };
    expect((await api.get(`/contacts/${contact.id}?expand=company`)).body).toMatchObject(renamed);
    const { data } = (await api.get('/contacts?expand=company&limit=100')).body;
    expect(data.find((row: any) => row.id === contact.id)).toMatchObject(renamed);
  });

  it.each([
    ['city', /Not a reference: city/],
    ['nothing', /Not a reference: nothing/],
    ['contact', /Not a reference: contact/],
    ['', /empty name/],
    [Array.from({ length: 11 }, (_, n) => `f${n}`).join(','), /at most 10 fields/],
  ])('of %j is refused, with all else that is wrong [contract 1, contract 7]', async (expand, message) => {
    const { id } = await create('contacts');
    for (const path of ['/contacts', `/contacts/${id}`, '/contacts/a@b.test']) {
      const by = path.includes('@') ? '&id_property=email' : '';
      const { status, body } = await api.get(`${path}?expand=${expand}&properties=bad${by}`);
      expect(status).toBe(400);
      expect(body.errors.map(({ field }: any) => field)).toEqual(
        expect.arrayContaining(['properties', 'expand']),
      );
      const messages = body.errors.filter(({ field }: any) => field === 'expand');
      expect(messages.at(-1).message).toMatch(message);
    }
    const list = await api.get(`/contacts?expand=${expand}&limit=0`);
    expect(list.body.errors.map(({ field }: any) => field)).toEqual(
      expect.arrayContaining(['limit', 'expand']),
    );
  });

  it('of a record that there is not is 404, and a write takes no expand [contract 7]', async () => {
    expect((await api.get(`/contacts/${UNKNOWN_ID}?expand=company`)).status).toBe(404);
    const { id } = await create('contacts');
    const refused = await api.patch(`/contacts/${id}?expand=company`, { fields: {} });
    expect(refused).toMatchObject({ status: 400, body: { field: 'expand' } });
  });
});
