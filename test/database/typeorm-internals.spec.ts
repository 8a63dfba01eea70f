import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { AccountEntity } from '../../src/accounts/account.entity.js';
import { createDataSource } from '../../src/database/data-source.js';
import { markTransactionBegun, poolOf } from '../../src/database/typeorm-internals.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let test: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  test = await createTestDatabase();
  dataSource = createDataSource({ url: test.url, poolSize: 2, entities: [AccountEntity] });
});
afterAll(async () => {
  await dataSource.destroy();
  await test.drop();
});

it('a data source has a pg pool once it is connected', async () => {
  expect(poolOf(dataSource)).toBeUndefined();
  await dataSource.initialize();
  expect(poolOf(dataSource)).toBeInstanceOf(Pool);
});

it('a query runner that is told of a transaction begins none of its own', async () => {
  const runner = dataSource.createQueryRunner();
  await runner.query('BEGIN');
  markTransactionBegun(runner);
  expect(runner.isTransactionActive).toBe(true);
  // Several rows of one insert make TypeORM open a transaction where there is none.
  await runner.manager.getRepository(AccountEntity).save([
    { id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5', slug: 'a', name: 'A' },
    { id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d6', slug: 'b', name: 'B' },
  ]);
  await runner.query('ROLLBACK');
  expect(await dataSource.getRepository(AccountEntity).count()).toBe(0);
  await runner.release();
});
