import { randomUUID } from 'node:crypto';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { listTables } from '../../src/database/dump/catalog.js';
import { Database } from '../../src/database/index.js';
import { RequestCountsRepository, type UsageReport } from '../../src/throttles/request-counts.repository.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { Client } from 'pg';

let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let client: Client;
let counts: RequestCountsRepository;

beforeAll(async () => {
  test = await createTestDatabase();
  dataSource = createDataSource({ url: test.url, poolSize: 5, entities: [] });
  await dataSource.initialize();
  counts = new RequestCountsRepository(Database.of(dataSource));
  client = new Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await dataSource.destroy();
  await test.drop();
});
beforeEach(() => client.query('DELETE FROM request_counts'));

const report = (requests: number, left = 60_000): UsageReport => ({
  accountId: randomUUID(),
  subjectId: randomUUID(),
  requests,
  left,
});

const age = (seconds: number): Promise<unknown> =>
  client.query('UPDATE request_counts SET ends_at = ends_at - make_interval(secs => $1)', [seconds]);

describe('the counts that processes share', () => {
  it('are the sums of what is reported, each until the end of its first window [contract 6]', async () => {
    const [one, two] = [report(5, 30_000), report(7)];
    await counts.add([one]);
    const sums = await counts.add([{ ...one, requests: 3, left: 60_000 }, two]);
    expect(sums).toHaveLength(2);
    expect(sums).toEqual(
      expect.arrayContaining([
        { subjectId: one.subjectId, requests: 8, left: expect.any(Number) },
        { subjectId: two.subjectId, requests: 7, left: expect.any(Number) },
      ]),
    );
    const lefts = sums.map(({ left }) => left).sort((a, b) => a - b);
    expect(lefts[0]).toBeLessThanOrEqual(30_000);
    expect(lefts[1]).toBeLessThanOrEqual(60_000);
    expect(lefts[1]).toBeGreaterThan(30_000);
  });

  it('begin again with the first report after the end [contract 6]', async () => {
    const one = report(5);
    await counts.add([one]);
    await age(60);
    expect(await counts.add([{ ...one, requests: 2 }])).toMatchObject([{ requests: 2 }]);
  });

  it('lose nothing where processes report the same ones at once, in any order [contract 6]', async () => {
    const all = Array.from({ length: 50 }, () => report(1));
    const turns = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? all : all.toReversed()));
    await Promise.all(turns.map((reports) => counts.add(reports)));
    const { rows } = await client.query('SELECT DISTINCT requests FROM request_counts');
    expect(rows).toEqual([{ requests: 20 }]);
  });

  it('of accounts with the same subject are apart [1]', async () => {
    const one = report(5);
    await counts.add([one]);
    const other = { ...one, accountId: randomUUID() };
    expect(await counts.add([other])).toMatchObject([{ requests: 5 }]);
  });

  it('are removed a minute after their end, and waited for by nobody [contract 6]', async () => {
    const [old, locked, present] = [report(1), report(1), report(1)];
    await counts.add([old, locked]);
    await age(125);
    await counts.add([present]);
    await client.query('BEGIN');
    await client.query('SELECT FROM request_counts WHERE subject_id = $1 FOR UPDATE', [locked.subjectId]);
    expect(await counts.prune()).toBe(1);
    await client.query('COMMIT');
    expect(await counts.prune()).toBe(1);
    expect((await client.query('SELECT subject_id FROM request_counts')).rows).toEqual([
      { subject_id: present.subjectId },
    ]);
  });

  it('are in a table that is not logged, and that no dump has', async () => {
    const { rows } = await client.query(
      `SELECT relpersistence FROM pg_class WHERE oid = 'request_counts'::regclass`,
    );
    expect(rows).toEqual([{ relpersistence: 'u' }]);
    const names = (await listTables(client)).map(({ name }) => name);
    expect(names).toContain('records');
    expect(names).not.toContain('request_counts');
  });
});
