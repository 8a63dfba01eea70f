import { storedRecords, type StoredRecord } from './stored-records.js';
import type { TestService } from './test-service.js';

/** Adds to each test of a describe block a check that it wrote nothing and that the service still answers. */
export function guardService(service: () => TestService): void {
  let before: StoredRecord[];

  beforeEach(async () => {
    before = await storedRecords(service());
  });

  afterEach(async () => {
    expect(await storedRecords(service())).toEqual(before);
    const { status, body } = await service().anonymous.get('/health/ready');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
  });
}
