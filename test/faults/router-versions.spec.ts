import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ACCOUNT = randomUUID();
let database: TestDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  dataSource = await createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES }).initialize();
  await migrate(dataSource);
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Takes migrations back until the one of this name is pending. */
async function takeBack(migration = 'VersionRouters'): Promise<void> {
  for (const { name } of [...dataSource.migrations].reverse()) {
    await dataSource.undoLastMigration();
    if (name?.startsWith(migration) === true) return;
  }
  throw new Error('There is no such migration');
}

/** Writes routers as a release does that knows no versions. */
const insertRouters = (prefix: string, published: boolean, count = 1): Promise<unknown> =>
  dataSource.query(
    `INSERT INTO routers (account_id, id, name, object_type, published, settings, users)
      SELECT $1, uuid_v7(now()), $2 || n, 'contacts', $3, '{"overwrite": true}', '[{"userId": "u"}]'
      FROM generate_series(1, $4::int) AS n`,
    [ACCOUNT, prefix, published, count],
  );

const numbers = (): Promise<{ name: string; version: number | null; kept: number[] }[]> =>
  dataSource.query(
    `SELECT r.name, r.version, ARRAY(SELECT v.version FROM router_versions v
        WHERE v.account_id = r.account_id AND v.router_id = r.id ORDER BY 1) AS kept
      FROM routers r ORDER BY r.name`,
  );

describe('Routers of an earlier release', () => {
  it('get version 1 where they are published, however many there are [contract 6]', async () => {
    await takeBack();
    await insertRouters('live', true, 1_200);
    await insertRouters('waiting', false);
    await migrate(dataSource);
    const found = await numbers();
    expect(found.filter(({ version, kept }) => version === 1 && kept.join() === '1')).toHaveLength(1_200);
    expect(found.at(-1)).toEqual({ name: 'waiting1', version: null, kept: [] });
    const [version] = await dataSource.query(
      `SELECT name, settings, users, teams, published_by, note FROM router_versions WHERE name = 'live7'`,
    );
    expect(version).toEqual({
      name: 'live7',
      settings: { overwrite: true },
      users: [{ userId: 'u' }],
      teams: [],
      published_by: null,
      note: null,
    });
  });

  it('get it once, also where a run has ended between two steps [contract 6]', async () => {
    await takeBack();
    await insertRouters('live', true, 3);
    await migrate(dataSource);
    await dataSource.query(`DELETE FROM migrations WHERE name LIKE 'VersionRouters%'`);
    await insertRouters('later', true);
    await migrate(dataSource);
    expect((await numbers()).map(({ name, version }) => [name, version])).toEqual([
      ['later1', 1],
      ['live1', 1],
      ['live2', 1],
      ['live3', 1],
    ]);
  });

  it('are no version any more where that release changes them afterwards [contract 6]', async () => {
    await insertRouters('live', true, 3);
    await dataSource.query('UPDATE routers SET version = 4');
    await dataSource.query(`UPDATE routers SET published = false WHERE name = 'live1'`);
    await dataSource.query(`UPDATE routers SET users = '[]' WHERE name = 'live2'`);
    await dataSource.query(`UPDATE routers SET settings = '{}', version = 5 WHERE name = 'live3'`);
    expect((await numbers()).map(({ version }) => version)).toEqual([4, null, 5]);
  });
});

describe('Versions of an earlier release', () => {
  const STRANGER = randomUUID();
  const [ADA, OLD, NORD, GONE] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

  const SETTINGS = {
    default_user: ' ADA@acme.test',
    rules: [{ name: 'Nord', users: [{ email: 'old@acme.test' }], teams: [{ name: 'Nord' }] }],
    trigger: { groups: [{ conditions: [{ field: 'city', operator: 'in', value: ['Gone', 7, 'nord'] }] }] },
  };

  const insertVersions = (settings: object | null, from: number, to: number): Promise<unknown> =>
    dataSource.query(
      `INSERT INTO router_versions (account_id, router_id, version, name, settings, users, teams, published_at)
        SELECT $1, $1, n, 'R', $2, '[]', '[]', now() FROM generate_series($3::int, $4::int) AS n`,
      [ACCOUNT, settings, from, to],
    );

  const named = (): Promise<{ named: unknown; versions: number[] }[]> =>
    dataSource.query(
      `SELECT named, array_agg(version ORDER BY version) AS versions FROM router_versions
        GROUP BY 1 ORDER BY min(version)`,
    );

  beforeEach(async () => {
    await takeBack('NamePeopleInVersions');
    for (const [account, ada] of [[ACCOUNT, ADA], [STRANGER, randomUUID()]]) {
      await dataSource.query(`INSERT INTO users (account_id, id, email) VALUES ($1, $2, 'ada@acme.test')`, [account, ada]);
    }
    await dataSource.query(
      `INSERT INTO users (account_id, id, email, archived_at) VALUES ($1, $2, 'old@acme.test', now())`,
      [ACCOUNT, OLD],
    );
    for (const [id, name, archived] of [[NORD, 'Nord', false], [randomUUID(), 'Nord', true], [GONE, 'Gone', true]]) {
      await dataSource.query(
        'INSERT INTO teams (account_id, id, name, archived_at) VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END)',
        [ACCOUNT, id, name, archived],
      );
    }
  }); // prettier-ignore

  const NAMED = {
    users: { 'ada@acme.test': ADA, 'old@acme.test': OLD },
    teams: { Nord: NORD, Gone: GONE },
  };

  it('know whom their settings name, however many there are [contract 6]', async () => {
    await insertVersions(SETTINGS, 1, 1_200);
    await insertVersions(null, 1_201, 1_201);
    await insertVersions({ overwrite: true }, 1_202, 1_202);
    await migrate(dataSource);
    const found = await named();
    expect(found.map((each) => each.named)).toEqual([NAMED, { users: {}, teams: {} }]);
    expect(found.map(({ versions }) => versions.length)).toEqual([1_200, 2]);
  });

  it('stay as they are where a run has ended between two batches [contract 6]', async () => {
    await migrate(dataSource);
    await insertVersions(SETTINGS, 1, 3);
    await dataSource.query(
      `UPDATE router_versions SET named = '{"users": {}, "teams": {}}' WHERE version = 2`,
    );
    await dataSource.query(`DELETE FROM migrations WHERE name LIKE 'NamePeopleInVersions%'`);
    await migrate(dataSource);
    expect(await named()).toEqual([
      { named: NAMED, versions: [1, 3] },
      { named: { users: {}, teams: {} }, versions: [2] },
    ]);
  });
});
