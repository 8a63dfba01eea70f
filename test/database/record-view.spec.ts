import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { viewStatement } from '../../src/records/record-view.statements.js';
import { viewShape } from '../../src/records/record-view.sql.js';
import type { Statement } from '../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

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
