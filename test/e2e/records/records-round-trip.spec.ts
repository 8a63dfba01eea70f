import fc from 'fast-check';
import type { ApiClient } from '../../support/api-client.js';
import { RECORD_TYPES, USERS } from '../../support/record-types.js';
import { storm } from '../../support/storm.js';
import { TestService } from '../../support/test-service.js';

const RUNS = storm(60);
const OPTIONS = ['emea', 'APAC', 'north america', '1', 'v1.0'];
const CUSTOM_TYPES = ['string', 'number', 'bool', 'datetime', 'enumeration', 'user'];

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  const fields = RECORD_TYPES.flatMap(({ type }) =>
    CUSTOM_TYPES.map((fieldType) => {
      const options = OPTIONS.map((name) => `{ internal_name: "${name}", label: "Label of ${name}" }`);
      const extra = fieldType === 'enumeration' ? `, options: [${options.join(', ')}]` : '';
      return `{ object_type: ${type}, internal_name: c_${fieldType}, type: ${fieldType}${extra} }`;
    }),
  );
  await service.apply(`accounts: [{ slug: acme, ${USERS}, fields: [${fields.join(', ')}] }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** Text that PostgreSQL can store, of every script and with every escape. */
const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => !value.includes('\0'));
const empty = fc.constantFrom(null, '');
const user = fc.constantFrom('ada@acme.test', 'GRACE@acme.test');
const datetime = fc.oneof(
  fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.integer({ min: -62_000_000_000, max: 250_000_000_000 }),
  fc
    .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toUTCString()),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const enumeration = fc.constantFrom(...OPTIONS, ...OPTIONS.map((name) => `LABEL of ${name}`));
let keys = 0;
/** A unique key that no other record has. */
const key = fc
  .constantFrom('Key-%.example', 'https://www.key-%.Example/x')
  .map((template) => template.replace('%', String(keys++)));

/** A value for a field of each kind, sometimes null or ''. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.oneof({ weight: 5, arbitrary: text }, number, fc.boolean(), empty),
  number: fc.oneof(
    { weight: 5, arbitrary: number },
    fc.integer(),
    fc.tuple(fc.bigInt(), fc.nat(20)).map(([digits, zeros]) => `${digits}.${'0'.repeat(zeros)}${zeros}0`),
    empty,
  ),
  bool: fc.oneof(fc.constantFrom(true, false, 'true', 'false'), empty),
  datetime: fc.oneof({ weight: 5, arbitrary: datetime }, empty),
  enumeration: fc.oneof({ weight: 5, arbitrary: enumeration }, empty),
  user: fc.oneof({ weight: 3, arbitrary: user }, empty),
};

/** Values of standard fields that do not accept every text. */
const STANDARD: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: key,
  external_id: key,
  website_url: key,
  number_of_employees: VALUES['number']!,
  annual_revenue: VALUES['number']!,
  amount: VALUES['number']!,
  close_date: VALUES['datetime']!,
  lead_source: fc.constantFrom('website', 'Paid Search', 'EVENT', ''),
  lifecycle_stage: fc.constantFrom('lead', 'Customer', null),
  pipeline: fc.constantFrom('default', 'DEFAULT'),
  deal_stage: fc.constantFrom('new', 'Won'),
  ticket_stage: fc.constantFrom('new', 'In Progress'),
  priority: fc.constantFrom('low', 'URGENT', null),
};

describe.each(RECORD_TYPES)('Random records of $type', ({ type, minimal, stored, owner }) => {
  const names = [...Object.keys(stored), ...CUSTOM_TYPES.map((fieldType) => `c_${fieldType}`)];
  const query = `?properties=${names.join(',')}`;
  const optional = Object.fromEntries(
    names
      .filter((name) => !(name in minimal))
      .map((name) => [
        name,
        name === owner ? VALUES['user']! : (STANDARD[name] ?? VALUES[name.slice(2)] ?? VALUES['string']!),
      ]),
  );
  const record = fc
    .record(optional, { requiredKeys: [] })
    .map((fields): Record<string, unknown> => ({ ...fields, ...minimal }));

  /** Returns the values of a flat object that the service does not set itself. */
  const valuesOf = (body: any): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, body[name]]));

  it('what GET returns is accepted by PATCH and changes nothing [2.2, 2.4, 2.6, 4.4, contract 3]', async () => {
    await fc.assert(
      fc.asyncProperty(record, async (fields) => {
        const { status, body: created } = await api.post(`/${type}`, { fields });
        expect(status).toBe(201);
        const { body: read } = await api.get(`/${type}/${created.id}${query}`);
        const patched = await api.patch(`/${type}/${created.id}${query}`, { fields: valuesOf(read) });
        expect(patched.status).toBe(200);
        expect(patched.body).toEqual({ ...read, updated_at: patched.body.updated_at });
        expect((await api.get(`/${type}/${created.id}${query}`)).body).toEqual(patched.body);
      }),
      { numRuns: RUNS },
    );
  });

  it('what GET returns makes an equal record when POSTed without its unique keys [2.2, 2.4, 2.6, 2.8, contract 3]', async () => {
    await fc.assert(
      fc.asyncProperty(record, async (fields) => {
        const { status, body: first } = await api.post(`/${type}${query}`, { fields });
        expect(status).toBe(201);
        const cleared = {
          external_id: null,
          ...('email' in first ? { email: null } : {}),
          ...(type === 'companies' ? { website_url: null } : {}),
        };
        const values = { ...valuesOf(first), ...cleared };
        const second = await api.post(`/${type}${query}`, { fields: values });
        expect(second.status).toBe(201);
        expect(valuesOf(second.body)).toEqual(values);
      }),
      { numRuns: RUNS },
    );
  });
});
