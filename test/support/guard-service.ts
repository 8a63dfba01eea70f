import { sql } from './stored-records.js';
import type { TestService } from './test-service.js';
import { untilReady } from './until-ready.js';

/** Changes with each record of any account, those of other test files included. */
const ALL_RECORDS = `SELECT count(*)::int AS n, sum(hashtextextended(r::text, 0))::text AS digest FROM records r`;

/** Adds to a describe block a check that its tests wrote nothing and that the service still answers. */
export function guardService(service: () => TestService): void {
  let before: unknown;

  beforeAll(async () => {
    before = await sql(service(), ALL_RECORDS);
  });

  afterAll(async () => {
    expect(await sql(service(), ALL_RECORDS)).toEqual(before);
    await untilReady(service().anonymous);
  });
}
