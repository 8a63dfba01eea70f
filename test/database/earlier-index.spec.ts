import { RecordIndexesRepository } from '../../src/records/indexes/record-indexes.repository.js';
import { ArchivingIsAChange1795950000000 } from '../../migrations/1795950000000-archiving-is-a-change.js';
import { indexesDone, wrongKeys } from '../support/database/index-keys.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => (service = await TestService.start()));
afterAll(() => service.stop());

/** As a process of the version before makes the keys of a record in an index. */
const earlierKey = (kind: string): Promise<unknown[]> =>
  sql(service, "SELECT record_index_key($1, NULL, '2026-01-02T03:04:05Z') AS key", [kind]);

it('An index of the version before is kept beside the new one, which that version cannot build [contract 3]', async () => {
  const api = await service.login('acme');
  const { accountId } = await service.account('acme');
  const ids: string[] = [];
  for (const first_name of ['Ada', 'Bob', 'Eve'])
    ids.push((await api.post('/contacts', { fields: { first_name } })).body.id);
  await sql(
    service,
    `INSERT INTO record_indexes (account_id, object_type, field, kind, used_on)
      VALUES ($1, 'contacts', 'last_modified_date', 'last_modified', CURRENT_DATE)`,
    [accountId],
  );
  const indexes = service.app.get(RecordIndexesRepository, { strict: false });
  await indexes.askUpdatedAt({ accountId, objectType: 'contacts' });
  expect(await indexesDone(service)).toBe(2);
  const keys = async (): Promise<Record<string, number>> => {
    const rows = await sql<{ kind: string; keys: number }>(
      service,
      `SELECT i.kind, count(k.record_id)::int AS keys FROM record_indexes i
        LEFT JOIN record_index_keys k ON k.account_id = i.account_id AND k.index_id = i.id GROUP BY i.kind`,
    );
    return Object.fromEntries(rows.map((row) => [row.kind, row.keys]));
  };
  expect(await keys()).toEqual({ last_modified: 3, changed: 3 });
  await api.delete(`/contacts/${ids[0]}`);
  await api.patch(`/contacts/${ids[1]}`, { fields: { city: 'Oslo' } });
  expect(await keys()).toEqual({ last_modified: 2, changed: 3 });
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
  await api.post(`/contacts/${ids[0]}/restore`);
  expect(await keys()).toEqual({ last_modified: 3, changed: 3 });
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });

  expect(await earlierKey('last_modified')).toEqual([{ key: '2026-01-02T03:04:05.000000Z' }]);
  await expect(earlierKey('changed')).rejects.toThrow('a process of a later version builds this index');

  const migration = new ArchivingIsAChange1795950000000();
  const runner = { query: (text: string) => sql(service, text) } as never;
  await migration.down(runner);
  expect(await keys()).toEqual({ last_modified: 3 });
  await api.patch(`/contacts/${ids[2]}`, { fields: { city: 'Rome' } });
  expect(await keys()).toEqual({ last_modified: 3 });
  await migration.up(runner);
  await api.delete(`/contacts/${ids[2]}`);
  expect(await keys()).toEqual({ last_modified: 2 });
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
});
