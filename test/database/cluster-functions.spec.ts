// What triggers of a cluster call writes what those of plain PostgreSQL do. No cluster is needed here.
import { Client } from 'pg';
import { TRIGGERS } from '../../src/database/distribute.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const [ACCOUNT, OTHER, AUTHOR] = ['1', '2', '3'].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
const id = (n: number): string => `01900000-0000-7000-8000-00000000000${n}`;
const at = (second: number): string => `2026-01-01T00:00:0${second}.5Z`;

let databases: TestDatabase[] = [];
let clients: Client[] = [];

beforeAll(async () => {
  databases = [await createTestDatabase({ prefix: 'plain' }), await createTestDatabase({ prefix: 'plain' })];
  clients = databases.map(({ url }) => new Client({ connectionString: url }));
  for (const client of clients) await client.connect();
  const [, twins] = clients;
  const { rows } = await twins!.query<{ drop: string; create: string }>(TRIGGERS, [
    ['records', 'field_definitions'],
  ]);
  for (const row of rows) for (const text of [row.drop, row.create]) await twins!.query(text);
  const { rows: found } = await twins!.query(
    `SELECT DISTINCT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname LIKE '%\\_on\\_cluster' ORDER BY 1`,
  );
  expect(found.map(({ proname }) => proname)).toEqual([
    'count_records_on_cluster',
    'index_record_on_cluster',
    'keep_record_change_on_cluster',
  ]);
});
afterAll(async () => {
  for (const client of clients) await client.end();
  for (const database of databases) await database.drop();
});

const by = (n: number): string => JSON.stringify({ kind: 'client', id: AUTHOR, request: `r${n}`, n });
const insert = (rows: readonly [account: string, n: number, fields: object][]): string =>
  `INSERT INTO records (account_id, object_type, id, fields, changed_by, created_at, updated_at) VALUES ${rows
    .map(
      ([account, n, fields]) =>
        `('${account}', 'contacts', '${id(n)}', '${JSON.stringify(fields)}', '${by(n)}', '${at(n)}', '${at(n)}')`,
    )
    .join()}`;
const update = (n: number, second: number, set: string, author: string | null = by(second + 10)): string =>
  `UPDATE records SET ${set}${author === null ? '' : `, changed_by = '${author}'`} WHERE id = '${id(n)}'`;
const changed = (second: number, fields: object): string =>
  `fields = fields || '${JSON.stringify(fields)}', updated_at = '${at(second)}'`;

const STEPS = [
  `INSERT INTO record_counters (account_id, object_type, counter, owner_field, having_field, having_values) VALUES
    ('${ACCOUNT}', 'contacts', 'helpers', 'helper', 'city', '{Oslo,Rome}'), ('${ACCOUNT}', 'contacts', 'all', 'helper', NULL, NULL)`,
  `INSERT INTO record_indexes (account_id, id, object_type, field, kind, dropped_at) VALUES
    ('${ACCOUNT}', 1, 'contacts', 'city', 'text', NULL), ('${ACCOUNT}', 2, 'contacts', 'size', 'number', NULL),
    ('${ACCOUNT}', 3, 'contacts', 'seen', 'instant', NULL), ('${ACCOUNT}', 4, 'contacts', 'updated_at', 'changed', NULL),
    ('${ACCOUNT}', 5, 'contacts', 'gone', 'text', now()), ('${ACCOUNT}', 6, 'deals', 'city', 'text', NULL)`,
  insert([
    [ACCOUNT!, 1, { city: 'Oslo', size: '7', helper: 'ada', contact_owner: 'bob' }],
    [ACCOUNT!, 2, { city: 'Bern', seen: '2026-01-01T00:00:00.000Z', helper: 'ada' }],
    [OTHER!, 3, { city: 'Oslo', contact_owner: 'bob', helper: 'ada' }],
    [ACCOUNT!, 4, {}],
  ]),
  update(1, 5, changed(5, { city: 'Rome', size: '8', contact_owner: 'eve' })),
  update(1, 6, changed(6, { helper: 'eve', size: null })),
  update(2, 5, `archived_at = '${at(5)}', archived_by = 'me'`),
  update(2, 6, `archived_at = NULL, archived_by = NULL, updated_at = '${at(6)}'`),
  update(3, 5, changed(5, { contact_owner: 'eve' })),
  update(4, 5, changed(5, { city: 'Oslo' }), '{"kind":"off"}'),
  update(4, 6, changed(6, { helper: 'ada' }), null),
  `DELETE FROM records WHERE id = '${id(2)}'`,
];

it.each([
  [
    'record_count_changes',
    'account_id, object_type, counter, owner, sum(n)::int AS n',
    'GROUP BY 1, 2, 3, 4',
  ],
  ['record_index_keys', 'account_id, index_id, key, record_id', ''],
  ['record_changes', 'record_id, at, by_kind, by_id, request_id, changes', ''],
])(
  'write the same rows of %s as the functions of plain PostgreSQL [contract 13]',
  async (table, columns, end) => {
    const found = await Promise.all(
      clients.map(async (client) => {
        await client.query('BEGIN');
        for (const step of STEPS) await client.query(step);
        const { rows } = await client.query(`SELECT ${columns} FROM ${table} ${end} ORDER BY 1, 2, 3, 4`);
        await client.query('ROLLBACK');
        return rows;
      }),
    );
    expect(found[0]!.length).toBeGreaterThan(4);
    expect(found[1]).toEqual(found[0]);
  },
);

it.each([
  '0001-01-01T00:00:00Z',
  '1999-12-31T23:59:59.9999Z',
  '2024-02-29T12:00:00.12Z',
  '9999-12-31T23:59:59.9996Z',
])('write the instant %s as iso_utc does, in any time zone [2.6, contract 13]', async (instant) => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
    await clients[0]!.query(`SELECT set_config('timezone', $1, false)`, [zone]);
    const { rows } = await clients[0]!.query('SELECT utc_text($1) AS mine, iso_utc($1) AS plain', [instant]);
    expect(rows[0].mine).toBe(rows[0].plain);
  }
});
