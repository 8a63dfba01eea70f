import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { STANDARD_FIELDS } from '../../src/fields/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { TestService } from '../support/test-service.js';

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

/** Takes the migration back that adds references, and those behind it. */
async function takeBack(): Promise<void> {
  for (const { name } of [...dataSource.migrations].reverse()) {
    await dataSource.undoLastMigration();
    if (name?.startsWith('AddReferences') === true) return;
  }
  throw new Error('There is no such migration');
}

const FIELDS = Object.values(STANDARD_FIELDS).flat();

/** Adds accounts as the release before makes them. */
async function insertAccounts(prefix: string, count: number): Promise<void> {
  await dataSource.query(
    `INSERT INTO accounts (id, slug, name) SELECT uuid_v7(now()), $1 || '-' || n, 'A' FROM generate_series(1, $2::int) n`,
    [prefix, count],
  );
  const before = FIELDS.filter(({ type }) => type !== 'reference');
  for (const { objectType, internalName, label, type, options } of before) {
    await dataSource.query(
      `INSERT INTO field_definitions (account_id, id, object_type, internal_name, label, type, options, standard, position)
        SELECT a.id, uuid_v7(now()), $2, $3, $4, $5, $6, true,
          (SELECT count(*) FROM field_definitions f WHERE f.account_id = a.id AND f.object_type = $2)
        FROM accounts a WHERE a.slug LIKE $1 || '-%'`,
      [prefix, objectType, internalName, label, type, JSON.stringify(options)],
    );
  }
}

const insertCustom = (slug: string, name: string, archived: boolean): Promise<unknown> =>
  dataSource.query(
    `INSERT INTO field_definitions (account_id, id, object_type, internal_name, label, type, position, archived_at)
      SELECT id, uuid_v7(now()), 'contacts', $2, 'Mine', 'string', 99, CASE WHEN $3 THEN now() END
      FROM accounts WHERE slug = $1`,
    [slug, name, archived],
  );

const references = (slug: string): Promise<unknown> =>
  dataSource.query(
    `SELECT f.object_type || '.' || f.internal_name AS name, f.type, f.target, f.standard
      FROM field_definitions f JOIN accounts a ON a.id = f.account_id
      WHERE a.slug = $1 AND f.internal_name IN ('company', 'contact') ORDER BY 1`,
    [slug],
  );

const ALL = [
  ['contacts.company', 'companies'],
  ['deals.company', 'companies'],
  ['deals.contact', 'contacts'],
  ['tickets.company', 'companies'],
  ['tickets.contact', 'contacts'],
].map(([name, target]) => ({ name, type: 'reference', target, standard: true }));

describe('Accounts of an earlier release', () => {
  it('get the standard references, however many accounts there are [contract 7]', async () => {
    await takeBack();
    await insertAccounts('old', 450);
    await migrate(dataSource);
    const [{ count, versions }] = await dataSource.query(
      `SELECT count(*)::int AS count, (SELECT array_agg(DISTINCT config_version::int) FROM accounts) AS versions
        FROM field_definitions WHERE type = 'reference'`,
    );
    expect({ count, versions }).toEqual({ count: 450 * ALL.length, versions: [2] });
    expect(await references('old-7')).toEqual(ALL);
    await takeBack();
    await migrate(dataSource);
    expect(await references('old-7')).toEqual(ALL);
  });

  it('keep a custom field that has the name of one, archived or not [contract 7]', async () => {
    await takeBack();
    await insertAccounts('old', 2);
    await insertCustom('old-1', 'company', false);
    await insertCustom('old-2', 'company', true);
    await migrate(dataSource);
    const mine = { name: 'contacts.company', type: 'string', target: null, standard: false };
    for (const slug of ['old-1', 'old-2']) expect(await references(slug)).toEqual([mine, ...ALL.slice(1)]);
  });

  it('have the fields of a new account afterwards, and are served [contract 7]', async () => {
    await takeBack();
    await insertAccounts('old', 2);
    await insertCustom('old-1', 'company', false);
    await migrate(dataSource);
    const service = await TestService.start({ database });
    try {
      await service.apply('accounts: [{ slug: new }]');
      const fields = async (slug: string): Promise<unknown> => {
        const api = await service.login(slug, ['manage', 'records:read', 'records:write']);
        const { data } = (await api.get('/fields?limit=100')).body;
        return data
          .map(({ object_type, internal_name, type }: any) => [object_type, internal_name, type])
          .sort();
      };
      expect(await fields('old-2')).toEqual(await fields('new'));
      const api = await service.login('old-1', ['records:read', 'records:write']);
      const made = await api.post('/contacts?properties=company', {
        fields: { first_name: 'Ada', company: 'Acme' },
      });
      expect(made).toMatchObject({ status: 201, body: { company: 'Acme' } });
    } finally {
      await service.stop();
    }
  });
});
