import type { ApiClient } from '../../support/api-client.js';
import { expectSomeError } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;
/** What changed so far. */
let audit: unknown;

const condition = { field: 'city', operator: 'eq', value: 'Oslo' };
const trigger = { groups: [{ conditions: [condition] }] };

/** A sound body of each kind. */
const BODIES: Readonly<Record<string, object>> = {
  users: {
    email: 'ada@acme.test',
    name: 'Ada',
    timezone: 'UTC',
    holidays: ['2026-12-25'],
    out_of_office: [{ from: '2026-12-24T00:00:00Z', to: '2026-12-27T00:00:00Z' }],
    working_hours: [{ days: ['mon'], start: '09:00', end: '17:30' }],
    limits: { window: 'rolling' },
  },
  teams: { name: 'Sales', members: ['ada@acme.test'] },
  fields: {
    object_type: 'contacts',
    internal_name: 'region',
    label: 'Region',
    type: 'enumeration',
    options: [{ internal_name: 'emea', label: 'EMEA' }],
  },
  capacities: {
    name: 'Open leads',
    object_type: 'contacts',
    field: 'city',
    values: ['Oslo'],
    users: [{ email: 'ada@acme.test', max: 5 }],
    teams: [{ name: 'Sales', max: 3 }],
  },
  routers: {
    name: 'Inbound',
    object_type: 'contacts',
    settings: {
      owner_field: 'contact_owner',
      distribution_model: 'round robin',
      rotation_type: 'users',
      default_user: 'ada@acme.test',
      trigger,
      rules: [{ id: 'r1', name: 'VIP', trigger, users: [{ email: 'ada@acme.test' }], teams: [{ name: 'Sales' }] }],
    },
    users: [{ email: 'ada@acme.test' }],
    teams: [{ name: 'Sales' }],
  },
  clients: { name: 'Sync', scope: 'manage' },
}; // prettier-ignore

/** What makes another of each kind of it. */
const OTHER: Readonly<Record<string, object>> = {
  users: { email: 'bob@acme.test' },
  fields: { internal_name: 'area' },
};
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await TestService.shared();
  admin = await service.login('acme', ['manage']);
  for (const [kind, body] of Object.entries(BODIES)) {
    const created = await admin.post(`/${kind}`, body);
    expect([kind, created.status]).toEqual([kind, 201]);
    ids[kind] = created.body.id;
  }
  audit = (await admin.get('/audit?limit=100')).body;
});
afterAll(() => service.stop());

const MARK = '(here)';

/** Copies of a value, each with the mark in the place of another of its texts. */
function* marked(value: unknown): Generator {
  if (typeof value === 'string') yield MARK;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const other of marked(part)) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    }
  }
}

/** The body as JSON, once for each text in it, with `text` in its place: JSON, escaped as it is sent. */
const withText = (body: object, text: string): string[] =>
  [...marked(body)].map((each) => JSON.stringify(each).replace(JSON.stringify(MARK), text));

const TEXTS = [
  '"\\ud800"',
  '"\\udc00@acme.test"',
  '"ada@\\ud83d.test"',
  '"a\\u0000b"',
  '"ada\\u0000@acme.test"',
];

describe.each(Object.keys(BODIES))('A text that cannot be stored, in %s', (kind) => {
  it.each(TEXTS)('is refused wherever it stands: %s [7, contract 1, contract 6]', async (text) => {
    const bodies = withText(BODIES[kind]!, text);
    expect(bodies.length).toBeGreaterThan(1);
    for (const raw of withText({ ...BODIES[kind], ...(OTHER[kind] ?? { name: 'Other' }) }, text)) {
      const refused = await admin.post(`/${kind}`, undefined, { raw });
      expectSomeError(refused, 400);
      expect(refused.body.message).not.toMatch('JSON');
    }
    for (const raw of bodies) {
      expectSomeError(await admin.patch(`/${kind}/${ids[kind]!}`, undefined, { raw }), 400);
    }
    expect((await admin.get('/audit?limit=100')).body).toEqual(audit);
  });
});

describe.each(Object.keys(BODIES).filter((kind) => kind !== 'clients'))('Such a text in a file, in %s', (kind) => {
  it.each(TEXTS)('is refused wherever it stands: %s [contract 5]', async (text) => {
    for (const body of withText(BODIES[kind]!, text)) {
      const applied = service.apply(`accounts: [{ slug: acme, ${kind}: [${body}] }]`);
      await expect(applied).rejects.toThrow(new RegExp(`accounts\\[0\\]\\.${kind}\\[0\\]`));
    }
    expect((await admin.get('/audit?limit=100')).body).toEqual(audit);
  });
}); // prettier-ignore
