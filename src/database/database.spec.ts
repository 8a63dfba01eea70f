import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import type { Statement } from './queryable.js';

const statement = (name: string, text: string): Statement => ({ name, text });
const ADD = statement('add', 'UPDATE counter SET n = n + $1');
const READ = statement('read', 'SELECT n FROM counter');

let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ empty: true });
  dataSource = createDataSource({ url: test.url, poolSize: 5, entities: [] });
  await dataSource.initialize();
  database = new Database(dataSource);
});
beforeEach(async () => {
  await database.query(statement('drop', 'DROP TABLE IF EXISTS counter'), []);
  await database.query(statement('create', 'CREATE TABLE counter AS SELECT 0 AS n'), []);
});
afterAll(async () => {
  await dataSource.destroy();
  await test.drop();
});

const count = async (): Promise<number | undefined> => (await database.query<{ n: number }>(READ, []))[0]?.n;

describe('a transaction', () => {
  it('commits what its work did, and gives what it gave', async () => {
    const result = await database.transaction(async (tx) => {
      await tx.query(ADD, [2]);
      expect(await count()).toBe(0);
      return tx.query<{ n: number }>(READ, []);
    });
    expect(result).toEqual([{ n: 2 }]);
    expect(await count()).toBe(2);
  });

  it('undoes everything when the work fails, and fails as the work did', async () => {
    const mistake = new Error('a mistake');
    const work = database.transaction(async (tx) => {
      await tx.query(ADD, [2]);
      await tx.manager.query('UPDATE counter SET n = n + 1');
      throw mistake;
    });
    await expect(work).rejects.toBe(mistake);
    expect(await count()).toBe(0);
  });

  it('runs its work again as a whole after a serialization failure, on what is there then', async () => {
    let attempts = 0;
    await database.transaction(async (tx) => {
      attempts += 1;
      await tx.query(READ, []);
      if (attempts === 1) await database.query(ADD, [10]);
      await tx.query(ADD, [1]);
    }, 'REPEATABLE READ');
    expect(attempts).toBe(2);
    expect(await count()).toBe(11);
  });

  it('gives up after five attempts, with the error of the last', async () => {
    let attempts = 0;
    const work = database.transaction(async (tx) => {
      attempts += 1;
      await tx.query(READ, []);
      await database.query(ADD, [1]);
      await tx.query(ADD, [100]);
    }, 'REPEATABLE READ');
    await expect(work).rejects.toMatchObject({ code: '40001' });
    expect({ attempts, n: await count() }).toEqual({ attempts: 5, n: 5 });
  });

  it('does not run its work again after any other error', async () => {
    let attempts = 0;
    const work = database.transaction(async (tx) => {
      attempts += 1;
      await tx.query(statement('nonsense', 'SELECT nonsense'), []);
    });
    await expect(work).rejects.toMatchObject({ code: '42703' });
    expect(attempts).toBe(1);
  });

  it('gives its connection back whatever happens', async () => {
    for (let run = 0; run < 12; run++) {
      const kill = statement('kill', 'SELECT pg_terminate_backend(pg_backend_pid())');
      await expect(database.transaction((tx) => tx.query(kill, []))).rejects.toThrow();
      await expect(database.transaction(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    }
    await Promise.all(Array.from({ length: 20 }, () => database.transaction((tx) => tx.query(ADD, [1]))));
    expect(await count()).toBe(20);
  });
});
