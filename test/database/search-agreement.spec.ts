// A service of its own: all records of the database are compared.
import fc from 'fast-check';
import {
  compileTrigger,
  matches,
  BUILTIN_OPERATORS,
  RecordValues,
  type Trigger,
} from '../../src/engine/index.js';
import { ConfigurationCache } from '../../src/configuration/index.js';
import { FieldTypeRegistry } from '../../src/fields/index.js';
import { shownRecord, valueOf, type StoredRecord } from '../../src/records/index.js';
import { fieldLookup } from '../../src/routers/index.js';
import type { ApiClient } from '../support/api-client.js';
import { textProblem } from '../../src/text/text-problem.js';
import { INSTANTS, NUMBERS, PARTS as ALL_PARTS, TEXTS as ALL_TEXTS } from '../support/hard-values.js';
import { sql } from '../support/database/stored-records.js';
import { seedOf, storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** Characters that are in Unicode since the ICU of the embedded server: Georgian capitals, Tulu-Tigalari. */
const isLater = (text: string): boolean => /[\u1c90-\u1cbf\u{11380}-\u{113ff}]/u.test(text);
const TEXTS = ALL_TEXTS.filter((text) => !isLater(text));
/** Half a character is part of a text for the engine alone. */
const PARTS = ALL_PARTS.filter((part) => textProblem(part) === undefined && !isLater(part));

const OPTIONS = ['emea', 'apac', 'gone'];
const OWNERS = ['ada@acme.test', 'grace@acme.test', 'straße@acme.test', 'nobody@acme.test', 'ნინო@acme.test'];
/** With microseconds, which records do not show. */
const TIMES = [
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000900Z',
  '2026-01-01T00:00:00.001000Z',
  '2026-03-05T10:00:00.123456Z',
];

const VALUES: Readonly<Record<string, readonly string[]>> = {
  first_name: TEXTS,
  job_title: TEXTS,
  external_id: TEXTS.filter((text) => text.length < 100),
  score: NUMBERS,
  vip: ['true', 'false'],
  signed_up: INSTANTS,
  region: OPTIONS,
  contact_owner: OWNERS,
};
const OPERANDS: Readonly<Record<string, readonly unknown[]>> = {
  ...VALUES,
  score: [...NUMBERS, 10, 0.1, -10.0, 1e21],
  vip: [true, 'false'],
  contact_owner: [
    'ADA@acme.test',
    'newgrace@acme.test',
    'straße@acme.test',
    'strasse@acme.test',
    'spare@acme.test',
  ],
  create_date: TIMES,
  last_modified_date: [...TIMES, '9999-12-31T23:59:59.999Z', '0001-01-01'],
  contact_owner_assigned_date: INSTANTS,
};
/** Standard fields that have an index in a part of the test. */
const INDEXED_STANDARD = ['first_name', 'job_title'];
const RECORDS = 250;
const FILTERS = storm(150);
const SORTS: readonly (readonly string[])[] = [[], ['-create_date'], ['-updated_at']];

let service: TestService;
let api: ApiClient;
let records: readonly StoredRecord[];

const CONFIGURATION = `accounts:
  - slug: acme
    users: [{ email: ada@acme.test }, { email: grace@acme.test }, { email: straße@acme.test }, { email: strasse@acme.test }, { email: spare@acme.test }, { email: ნინო@acme.test }]
    fields:
      - { object_type: contacts, internal_name: score, type: number }
      - { object_type: contacts, internal_name: vip, type: bool }
      - { object_type: contacts, internal_name: signed_up, type: datetime }
      - { object_type: contacts, internal_name: region, type: enumeration, options: [{ internal_name: emea }, { internal_name: apac }] }
`;

const record = fc.record({
  fields: fc.record(
    Object.fromEntries(
      Object.entries(VALUES).map(([name, values]) => [name, fc.constantFrom('', ...values)]),
    ),
    { requiredKeys: [] },
  ),
  updated: fc.constantFrom(...TIMES),
  archived: fc.boolean(),
});

beforeAll(async () => {
  service = await TestService.start();
  await service.apply(CONFIGURATION);
  api = await service.login('acme', ['records:read', 'manage']);
  const { accountId } = await service.account('acme');
  const drawn = fc.sample(record, { numRuns: RECORDS, seed: 7 });
  const keys = new Set<string>();
  const rows = drawn.map(({ fields, updated, archived }, index) => {
    const own: Record<string, string | undefined> = { ...fields };
    // A unique index holds the keys of active records.
    if (own['external_id'] !== undefined && (own['external_id'] === '' || keys.has(own['external_id'])))
      delete own['external_id'];
    keys.add(own['external_id'] ?? '');
    return {
      fields: own,
      created: TIMES[index % TIMES.length],
      updated,
      archived: archived && index % 5 === 0,
    };
  });
  await sql(
    service,
    `INSERT INTO records (account_id, object_type, id, fields, archived_at, archived_by, created_at, updated_at)
     SELECT $1, 'contacts', uuid_v7((row ->> 'created')::timestamptz), row -> 'fields',
       CASE WHEN (row ->> 'archived')::boolean THEN now() END, CASE WHEN (row ->> 'archived')::boolean THEN 'a client' END,
       (row ->> 'created')::timestamptz, (row ->> 'updated')::timestamptz
     FROM json_array_elements($2::json) AS row`,
    [accountId, JSON.stringify(rows)],
  );
  // What a user field has is the first e-mail of the user.
  const [user] = await sql<{ id: string }>(service, "SELECT id FROM users WHERE email = 'grace@acme.test'");
  expect((await api.patch(`/users/${user!.id}`, { email: 'newgrace@acme.test' })).status).toBe(200);
  // Somebody else has her e-mail now, whom records name by the id.
  await service.apply(CONFIGURATION);
  await sql(
    service,
    `UPDATE records SET fields = jsonb_set(fields, '{contact_owner}', to_jsonb(u.id::text))
     FROM users u WHERE u.email = 'grace@acme.test' AND owner = 'nobody@acme.test' AND records.fields ? 'score'`,
  );
  records = await sql<StoredRecord>(service, 'SELECT * FROM records ORDER BY id');
  expect(records).toHaveLength(RECORDS);
});
afterAll(() => service.stop());

const TEXT_OPERATORS = ['contains', 'not_contains', 'starts_with', 'ends_with'];
const NO_TEXT = new Set([
  'score',
  'vip',
  'signed_up',
  'create_date',
  'last_modified_date',
  'contact_owner_assigned_date',
]);

const OPERATORS = BUILTIN_OPERATORS.map(({ id }) => id);
const conditionOn = (field: string, operators = OPERATORS) =>
  fc.constantFrom(...operators).chain((operator) => {
    const one = fc.constantFrom(...(OPERANDS[field] ?? []));
    const two = fc.array(one, { minLength: 2, maxLength: operator === 'between' ? 2 : 6 });
    const value = TEXT_OPERATORS.includes(operator)
      ? fc.constantFrom(...(NO_TEXT.has(field) ? TEXTS : PARTS))
      : operator.endsWith('empty')
        ? fc.constant(undefined)
        : ['in', 'not_in', 'between'].includes(operator)
          ? two
          : one;
    return value.map((drawn) => ({ field, operator, ...(drawn === undefined ? {} : { value: drawn }) }));
  });
const field = fc.constantFrom(...Object.keys(OPERANDS));
const condition = field.chain(conditionOn);
/** Groups of which each condition is on the same field, and many contradict each other. */
const CLASHING = [...OPERATORS, 'eq', 'in', 'starts_with', 'gt', 'lte', 'is_empty', 'is_empty', 'is_empty'];
const ofOneField = field.chain((name) =>
  fc.array(fc.array(conditionOn(name, CLASHING), { minLength: 2, maxLength: 3 }), {
    minLength: 1,
    maxLength: 2,
  }),
);
const filter = fc.oneof(
  { weight: 3, arbitrary: condition.map((each) => [[each]]) },
  { weight: 2, arbitrary: ofOneField },
  {
    weight: 1,
    arbitrary: fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  },
);

/** The ids of the records that the engine finds. */
async function byEngine(trigger: Trigger, archived: boolean): Promise<string[]> {
  const account = await service.account('acme');
  return service.app.get(ConfigurationCache, { strict: false }).use(account, ({ catalog, directory }) => {
    const fields = fieldLookup(catalog, service.app.get(FieldTypeRegistry, { strict: false }), directory);
    const compiled = compileTrigger(trigger, 'contacts', { fields, operators: BUILTIN_OPERATORS });
    const found = records.filter((stored) => {
      const shown = shownRecord(stored, directory.names, catalog.userFieldNames('contacts'));
      const input = {
        id: stored.id,
        objectType: 'contacts',
        get: (name: string) => valueOf(shown, name),
      } as const;
      return (archived || stored.archived_at === null) && matches(compiled, new RecordValues(input));
    });
    return Promise.resolve(found.map(({ id }) => id));
  });
}

/** The ids of the records that a search finds, page after page, and what it counts. */
async function bySearch(
  search: object,
): Promise<{ readonly status: number; readonly found: readonly string[]; readonly count: number }> {
  const found: string[] = [];
  let after: string | null = null;
  let count: number | undefined;
  do {
    const { status, body } = await api.post('/contacts/search', { ...search, after, count: after === null });
    if (status !== 200) return { status, found, count: 0 };
    found.push(...body.data.map(({ id }: any) => id));
    count ??= body.pagination.count;
    after = body.pagination.next;
  } while (after !== null);
  return { status: 200, found, count: count ?? 0 };
}

/** Switches the indexes of all fields of the file, and waits until they are there or gone. */
async function switchIndexes(indexed: boolean): Promise<void> {
  const file = CONFIGURATION.replace(/ type: (\w+)/g, ` type: $1, indexed: ${indexed}`);
  await service.apply(
    `${file}${INDEXED_STANDARD.map((name) => `      - { object_type: contacts, internal_name: ${name}, indexed: ${indexed} }\n`).join('')}`,
  );
  await waitFor('the indexes', async () => {
    const rows = await sql<{ open: boolean }>(
      service,
      'SELECT NOT is_ready OR dropped_at IS NOT NULL AS open FROM record_indexes',
    );
    return rows.every(({ open }) => !open) && rows.length >= (indexed ? INDEXED_STANDARD.length + 4 : 0);
  });
}

it.each([
  ['without indexes', false],
  ['with an index of every field', true],
])(
  'finds what the engine finds, for every operator and type of field, %s [contract 4, contract 7]',
  async (_, indexed) => {
    await switchIndexes(indexed);
    let searched = 0;
    let hits = 0;
    for (const [index, groups] of fc.sample(filter, { numRuns: FILTERS * 2, seed: seedOf(11) }).entries()) {
      const trigger = { groups: groups.map((conditions) => ({ conditions })) };
      const archived = index % 3 === 0;
      const { status, found, count } = await bySearch({ filter: trigger, archived, limit: 100 });
      // Some operands are refused, such as a half of a character, or a list in the wrong order.
      expect([200, 400]).toContain(status);
      if (status !== 200) continue;
      const expected = await byEngine(trigger, archived);
      expect({ trigger, found, count }).toEqual({ trigger, found: expected, count: expected.length });
      searched += 1;
      hits += expected.length === 0 || expected.length === RECORDS ? 0 : 1;
    }
    expect(searched).toBeGreaterThan(FILTERS);
    expect(hits).toBeGreaterThan(FILTERS / 2);
  },
);

const PEOPLE = [
  'ADA@acme.test',
  'newgrace@acme.test',
  'grace@acme.test',
  'straße@acme.test',
  'strasse@acme.test',
  'ნინო@acme.test',
];
const owner = (operator: string, value: unknown) => ({ field: 'contact_owner', operator, value });
const unnamed = { field: 'first_name', operator: 'is_empty' };
const contains = { field: 'job_title', operator: 'contains', value: 'a' };
const MANY_PEOPLE = Array.from({ length: 20 }, (_, index) => PEOPLE[index % PEOPLE.length]!.toUpperCase());
const OWNED: [string, (one: string, other: string) => object[][]][] = [
  ['an owner', (one) => [[owner('eq', one)]]],
  ['two owners', (one, other) => [[owner('in', [one, other])]]],
  ['more owners than are merged', (one) => [[owner('in', [one, ...MANY_PEOPLE])]]],
  ['an owner twice', (one, other) => [[owner('eq', one), owner('in', [one, other])]]],
  ['an owner and another field', (one) => [[owner('eq', one), contains]]],
  ['owners or an empty field', (one, other) => [[owner('in', [one, other])], [unnamed]]],
  [
    'an owner of each group',
    (one, other) => [
      [owner('eq', one), contains],
      [owner('eq', other), unnamed],
    ],
  ],
];

it.each(OWNED)('finds the records of %s, in each order [contract 7]', async (_, groupsOf) => {
  const changed = new Map(records.map(({ id, updated_at }) => [id, updated_at.getTime()]));
  let hits = 0;
  for (const [index, one] of PEOPLE.entries()) {
    const groups = groupsOf(one, PEOPLE[(index + 1) % PEOPLE.length]!);
    const trigger = { groups: groups.map((conditions) => ({ conditions })) } as Trigger;
    const expected = await byEngine(trigger, false);
    hits += expected.length;
    const sorts = Array.from({ length: storm(SORTS.length) }, (_, n) => SORTS[(index + n) % SORTS.length]!);
    for (const sort of sorts) {
      // Some four pages.
      const limit = Math.max(1, Math.ceil(expected.length / 4));
      const answer = await bySearch({ filter: trigger, sort, limit });
      const inOrder = sort[0] === '-create_date' ? expected.toReversed() : [...expected];
      if (sort[0] === '-updated_at') inOrder.sort((a, b) => changed.get(b)! - changed.get(a)!);
      // Records show milliseconds, by which some are equal.
      const shown = (ids: readonly string[]) =>
        sort[0] === '-updated_at' ? ids.map((id) => changed.get(id)) : ids;
      expect({ trigger, sort, ...answer, found: shown(answer.found) }).toEqual({
        trigger,
        sort,
        status: 200,
        found: shown(inOrder),
        count: expected.length,
      });
      expect(new Set(answer.found)).toEqual(new Set(expected));
    }
  }
  expect(hits).toBeGreaterThan(20);
});
