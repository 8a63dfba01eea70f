import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { viewShape, viewStatement } from '../../src/records/record-view.statements.js';
import type { Statement } from '../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const CITY = ['city', 'state'];
const EXTRAS = [CITY, [',"city":', ',"state":']];
const CASES: [string, Statement, unknown[]][] = [
  ['one record', viewStatement(viewShape('contacts', [])), [randomUUID()]],
  ['one record with properties', viewStatement(viewShape('contacts', CITY)), [randomUUID(), ...EXTRAS]],
];

it.each(CASES)(
  '%s decompresses the fields of a record once, whatever it shows',
  async (_, { text }, values) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (VERBOSE) ${text}`, [
      randomUUID(),
      'contacts',
      ...values,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/fields \|\|/);
    // It would be made again for each value, in the expression that reads the value.
    expect(plan).toMatch(/fields -> 'email'/);
    expect(plan).not.toMatch(/fields \|\|[^\n]*-> 'email'/);
  },
);

it.each([
  ['ISO, MDY', 'UTC'],
  ['SQL, DMY', 'Asia/Kolkata'],
  ['Postgres, MDY', 'America/St_Johns'],
])(
  'times have the milliseconds of an instant and the form of JavaScript where dates are %s of %s',
  async (style, zone) => {
    await client.query(`SET DateStyle = '${style}'; SET TimeZone = '${zone}'`);
    const { rows } = await client.query<{ text: string; ms: string }>(`
    SELECT iso_utc(at) AS text, floor(extract(epoch FROM at) * 1000)::text AS ms
    FROM (
      SELECT timestamptz '2026-02-28 23:59:59+00' + us * interval '1 microsecond' AS at
      FROM unnest(ARRAY[0, 1, 9, 10, 499, 500, 999, 1000, 1999, 10000, 99999, 100000, 500000, 999000, 999999]) AS us
      UNION ALL
      SELECT to_timestamp(n * 7919999.987654) + n * interval '1 microsecond' FROM generate_series(0, 2000) AS n
    ) AS times`);
    expect(rows).toHaveLength(2016);
    expect(rows.map(({ text }) => text)).toEqual(rows.map(({ ms }) => new Date(Number(ms)).toISOString()));
  },
);
