import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { USERS } from '../../support/record-types.js';
import { storedRecords, userIdOf } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

/** A custom field of each type on contacts, named after its type. */
const CUSTOM = `fields: [
  { object_type: contacts, internal_name: a_string, type: string },
  { object_type: contacts, internal_name: a_number, type: number },
  { object_type: contacts, internal_name: a_bool, type: bool },
  { object_type: contacts, internal_name: a_datetime, type: datetime },
  { object_type: contacts, internal_name: a_user, type: user },
  { object_type: contacts, internal_name: an_enumeration, type: enumeration, options: [
    { internal_name: emea, label: Europe and Africa },
    { internal_name: APAC },
    { internal_name: "1", label: One },
    { internal_name: "true" }] }]`;

let service: TestService;
let api: ApiClient;
let userId: string;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS}, ${CUSTOM} }]`);
  api = await service.login('acme');
  userId = await userIdOf(service, 'acme', 'ada@acme.test');
});
afterAll(() => service.stop());

const NAMES: Readonly<Record<string, string>> = { enumeration: 'an_enumeration' };

const ACCEPTED: [type: string, sent: unknown, stored: string][] = [
  ['string', 'text', 'text'],
  ['string', '  as it is  ', '  as it is  '],
  ['string', 'Grüße, 世界 👋\n\tnext line', 'Grüße, 世界 👋\n\tnext line'],
  ['string', 42, '42'],
  ['string', -1.5, '-1.5'],
  ['string', 0, '0'],
  ['string', true, 'true'],
  ['string', false, 'false'],
  ['string', 'null', 'null'],
  ['number', 5, '5'],
  ['number', 0, '0'],
  ['number', -0, '0'],
  ['number', -12.75, '-12.75'],
  ['number', 1e21, '1000000000000000000000'],
  ['number', 1e-7, '0.0000001'],
  ['number', 0.1, '0.1'],
  ['number', Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
  ['number', Number.MIN_VALUE, `0.${'0'.repeat(323)}5`],
  ['number', '5', '5'],
  ['number', '-12.75', '-12.75'],
  ['number', '12.50', '12.5'],
  ['number', '1200.00', '1200'],
  ['number', '-0', '0'],
  ['number', '+5', '5'],
  ['number', '05', '5'],
  ['number', '1000000000000000000000', '1000000000000000000000'],
  ['number', '-123456789012345678901234567890.1234567890', '-123456789012345678901234567890.123456789'],
  ['bool', true, 'true'],
  ['bool', false, 'false'],
  ['bool', 'true', 'true'],
  ['bool', 'false', 'false'],
  ['datetime', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['datetime', '2026-03-01T09:30:00', '2026-03-01T09:30:00.000Z'],
  ['datetime', '2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['datetime', '2026-03-01T09:30:00.123+05:30', '2026-03-01T04:00:00.123Z'],
  ['datetime', 'Sun, 01 Mar 2026 09:30:00 +0100', '2026-03-01T08:30:00.000Z'],
  ['datetime', '1 Mar 2026 09:30 GMT', '2026-03-01T09:30:00.000Z'],
  ['datetime', 1772357400, '2026-03-01T09:30:00.000Z'],
  ['datetime', 1772357400000, '2026-03-01T09:30:00.000Z'],
  ['datetime', 0, '1970-01-01T00:00:00.000Z'],
  ['datetime', -1, '1969-12-31T23:59:59.000Z'],
  ['datetime', 99999999999, '5138-11-16T09:46:39.000Z'],
  ['datetime', 1e11, '1973-03-03T09:46:40.000Z'],
  ['datetime', -1e11, '1966-10-31T14:13:20.000Z'],
  ['datetime', '2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['enumeration', 'emea', 'emea'],
  ['enumeration', 'EMEA', 'emea'],
  ['enumeration', 'Europe and Africa', 'emea'],
  ['enumeration', 'EUROPE AND AFRICA', 'emea'],
  ['enumeration', 'apac', 'APAC'],
  ['enumeration', 'one', '1'],
  ['user', 'ada@acme.test', 'ada@acme.test'],
  ['user', 'ADA@Acme.Test', 'ada@acme.test'],
];

const REFUSED: [type: string, ...sent: unknown[]][] = [
  ['string', {}, [], ['text'], { a: 1 }],
  [
    'number',
    'five',
    '5.',
    '.5',
    '+-5',
    ' 5',
    '5 ',
    '1e3',
    '1e+21',
    '0x10',
    '1,5',
    'NaN',
    'Infinity',
    true,
    [],
    [5],
    {},
  ],
  ['bool', 'yes', 'TRUE', 'True', ' true', 'no', '1', '0', 1, 0, [], {}, [true]],
  [
    'datetime',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T25:00',
    '01/03/2026',
    '09:30',
    true,
    [],
    {},
    1e300,
  ],
  ['enumeration', 'nowhere', 'eme', 'em ea', 'Europe', 1, true, [], ['emea'], {}],
  ['user', 'nobody@acme.test', 'ada', 'Ada', '01890a5d-ac96-774b-bcce-b302099a8057', 1, true, [], {}],
];

const nameOf = (type: string): string => NAMES[type] ?? `a_${type}`;

describe('Field types', () => {
  it.each(ACCEPTED)(
    '%s takes %j and stores %j, on create and on update [2.4, 2.6, contract 3]',
    async (type, sent, stored) => {
      const name = nameOf(type);
      const { status, body } = await api.post(`/contacts?properties=${name}`, {
        fields: { first_name: 'Ada', [name]: sent },
      });
      expect({ status, value: body[name] }).toEqual({ status: 201, value: stored });
      const { body: empty } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
      const patched = await api.patch(`/contacts/${empty.id}?properties=${name}`, {
        fields: { [name]: sent },
      });
      expect({ status: patched.status, value: patched.body[name] }).toEqual({ status: 200, value: stored });
      // A returned value is accepted again and does not change.
      const again = await api.patch(`/contacts/${empty.id}?properties=${name}`, {
        fields: { [name]: stored },
      });
      expect(again.body[name]).toBe(stored);
    },
  );

  it.each([
    ['number', '12345678901234567890', '12345678901234567890'],
    ['number', '-0.12345678901234567890', '-0.1234567890123456789'],
    ['number', '9007199254740993', '9007199254740993'],
    ['number', '1.00000000000000000000', '1'],
    ['number', '12345678901234567890e3', '12345678901234568000000'],
    ['string', '1234567890123456789', '1234567890123456789'],
    ['datetime', '1772357400000.0000', '2026-03-01T09:30:00.000Z'],
  ])('%s keeps every digit of the JSON number %s: %s [2.6, contract 3]', async (type, sent, stored) => {
    const name = nameOf(type);
    const raw = `{"fields": {"first_name": "Ada", "${name}": ${sent}}}`;
    const { status, body } = await api.post(`/contacts?properties=${name}`, undefined, { raw });
    expect({ status, value: body[name] }).toEqual({ status: 201, value: stored });
  });

  it('of bool and enumeration take no long number, and no body is one [2.6, contract 3]', async () => {
    for (const type of ['bool', 'enumeration']) {
      const raw = `{"fields": {"first_name": "Ada", "${nameOf(type)}": 12345678901234567890}}`;
      const answer = await api.post('/contacts', undefined, { raw });
      expectInvalid(answer, [nameOf(type), new RegExp(nameOf(type))]);
    }
    const message = 'The body must be a JSON object with the key fields';
    expectInvalid(await api.post('/contacts', undefined, { raw: '12345678901234567890' }), [
      undefined,
      message,
    ]);
    const raw = '{"router_id": 12345678901234567890, "object_id": {"a": 12345678901234567890}}';
    expectInvalid(
      await api.post('/dispatch/router', undefined, { raw }),
      ['router_id', 'router_id must be a string'],
      ['object_id', 'object_id must be a string'],
    );
  });

  it.each(REFUSED)(
    '%s refuses what it cannot store: %j and others [2.6, 7, contract 3]',
    async (type, ...values) => {
      const name = nameOf(type);
      const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
      const before = await storedRecords(service);
      for (const value of values) {
        const fields = { first_name: 'Grace', [name]: value };
        expectInvalid(await api.post('/contacts', { fields }), [name, new RegExp(name)]);
        expectInvalid(await api.patch(`/contacts/${body.id}`, { fields }), [name, new RegExp(name)]);
      }
      expect(await storedRecords(service)).toEqual(before);
    },
  );

  it('user takes the UUID of a user in any case and stores the e-mail [2.6, contract 3]', async () => {
    for (const id of [userId, userId.toUpperCase()]) {
      const { status, body } = await api.post('/contacts?properties=a_user', {
        fields: { first_name: 'Ada', contact_owner: id, a_user: id },
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ contact_owner: 'ada@acme.test', a_user: 'ada@acme.test' });
    }
  });

  it('a wrong option is answered with the allowed ones [2.6, 7, contract 3]', async () => {
    const { body } = await api.post('/contacts', {
      fields: { first_name: 'Ada', an_enumeration: 'nowhere' },
    });
    expect(body.message).toMatch(/emea.*APAC.*1.*true/);
    const { body: deal } = await api.post('/deals', {
      fields: { deal_name: 'A', pipeline: 'nope', deal_stage: 'nope' },
    });
    expect(deal.errors.map(({ field }: { field: string }) => field)).toEqual(['pipeline', 'deal_stage']);
    expect(deal.errors[0].message).toContain('default');
    expect(deal.errors[1].message).toContain('new');
  });
});

describe('Text fields with a form of their own', () => {
  it.each([
    ['ADA@EXAMPLE.COM', 'ada@example.com'],
    [' Ada.B@Example.com ', 'ada.b@example.com'],
    ['ÄDA@Exämple.com', 'äda@exämple.com'],
  ])('email %j is stored as %j [2.6]', async (sent, stored) => {
    const { body } = await api.post('/contacts', { fields: { email: sent } });
    expect(body.email).toBe(stored);
  });

  it.each([
    ['contacts', { first_name: 'Ada' }],
    ['companies', {}],
  ])('website_url of %s is stored as its host, or refused [2.6, contract 3]', async (type, others) => {
    const { body } = await api.post(`/${type}?properties=website_url`, {
      fields: { ...others, website_url: 'HTTPS://www.Fields.example:443/a?b#c' },
    });
    expect(body.website_url).toBe('fields.example');
    const before = await storedRecords(service);
    for (const website_url of [
      'localhost',
      'no host',
      'http://',
      'a@b.example',
      '-a.example',
      'a..example',
      '://',
      5,
    ]) {
      const response = await api.patch(`/${type}/${body.id}`, { fields: { website_url } });
      expectInvalid(response, ['website_url', /website_url/]);
    }
    expect(await storedRecords(service)).toEqual(before);
  });
});
