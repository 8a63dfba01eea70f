import { storedRecords, type StoredRecord } from './stored-records.js';
import type { TestService } from './test-service.js';
import { untilReady } from './until-ready.js';

/** Adds to each test of a describe block a check that it wrote nothing and that the service still answers. */
export function guardService(service: () => TestService): void {
  let before: StoredRecord[];

  beforeEach(async () => {
    before = await storedRecords(service());
  });

  afterEach(async () => {
    expect(await storedRecords(service())).toEqual(before);
    await untilReady(service().anonymous);
  });
}
