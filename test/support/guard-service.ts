import { sql } from './database/stored-records.js';
import type { TestService } from './test-service.js';
import { untilReady } from './processes/until-ready.js';

/**
 * Changes with each record that is written, of any account, those of other test files included. It reads the
 * place of a row and the transaction that wrote it, because some records have megabytes.
 */
const ALL_RECORDS = `SELECT count(*)::int AS n, sum(hashtext(r.ctid::text || r.xmin::text))::text AS digest FROM records r`;

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
