import { idOfInstant, timeOfId } from '../../src/database/index.js';
import { query } from '../faults/embedded-support.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let test: TestDatabase;
beforeAll(async () => (test = await createTestDatabase()));
afterAll(() => test.drop());

it('The ids of the log sort by microseconds, with the bits of the function of the database [contract 4]', async () => {
  const start = Date.UTC(2026, 5, 11, 8) * 1_000 + 999_000;
  // More than a millisecond has of microseconds.
  const ids = Array.from({ length: 1_500 }, (_, n) => idOfInstant(start + n));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(1_500);
  expect(ids.map(timeOfId)).toEqual(ids.map((_, n) => Math.floor((start + n) / 1_000)));
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const theirs = await query(
    test.url,
    `SELECT left(uuid_v7(timestamptz '2026-06-11 08:00:00.999Z' + n * interval '1 microsecond')::text, 18) AS bits
      FROM generate_series(0, 1499) AS n`,
  );
  expect(ids.map((id) => id.slice(0, 18))).toEqual(theirs.map(({ bits }) => bits));
});
