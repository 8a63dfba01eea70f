import { storedRecords, type StoredRecord } from './stored-records.js';
import type { TestService } from './test-service.js';
import { untilReady } from './until-ready.js';

/** Adds to a describe block a check that its tests wrote nothing and that the service still answers. */
export function guardService(service: () => TestService): void {
  let before: StoredRecord[];

  beforeAll(async () => {
    before = await storedRecords(service());
  });

  afterAll(async () => {
    expect(await storedRecords(service())).toEqual(before);
    await untilReady(service().anonymous);
  });
}
