import { storedRecords, type StoredRecord } from './stored-records.js';
import type { TestService } from './test-service.js';

/** Makes each test of a describe block prove too that it wrote nothing and that the service still serves. */
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
