import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newAssignments } from '../../src/assignments/assignments.sql.js';
import { timeOfId } from '../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let test: TestDatabase;
let client: Client;
beforeAll(async () => {
  test = await createTestDatabase();
  client = new Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.drop();
});

it('The ids of one transaction sort in the order of its decisions, and begin with the time [contract 4]', async () => {
  // More than a millisecond has of microseconds.
  const given = Array.from({ length: 2_500 }, (_, n) => ({ n, object_id: randomUUID() }));
  const { rows } = await client.query<{ id: string; n: number; from: Date; to: Date; made: string }>(
    `WITH entry AS MATERIALIZED (${newAssignments('$1')})
      SELECT id, n, transaction_timestamp() AS "from", clock_timestamp() AS "to", uuid_v7(clock_timestamp())::text AS made
      FROM entry ORDER BY id`,
    [JSON.stringify(given)],
  );
  expect(rows.map(({ n }) => n)).toEqual(given.map(({ n }) => n));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2_500);
  for (const { id, n, from, to } of rows) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOfId(id)).toBeGreaterThanOrEqual(from.getTime());
    expect(timeOfId(id)).toBeLessThanOrEqual(to.getTime() + Math.ceil(n / 1_000));
  }
  // The function of the database goes on from there.
  expect(rows[0]!.id < rows[0]!.made).toBe(true);
});

it('An id has the bits of the function of the database for the same instant [contract 4]', async () => {
  const { rows } = await client.query<{ ours: string; theirs: string }>(
    `WITH entry AS MATERIALIZED (${newAssignments('$1').replaceAll('clock_timestamp()', 'transaction_timestamp()')})
      SELECT left(id::text, 18) AS ours,
        left(uuid_v7(transaction_timestamp() + n * interval '1 microsecond')::text, 18) AS theirs FROM entry`,
    [JSON.stringify(Array.from({ length: 1_500 }, (_, n) => ({ n })))],
  );
  expect(rows).toHaveLength(1_500);
  for (const { ours, theirs } of rows) expect(ours).toBe(theirs);
});
