import type { Pool } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/**
 * Parts of TypeORM that this service uses and that TypeORM does not publish. Every such use is in this file.
 * `typeorm-internals.spec.ts` in test/database fails when a new version of TypeORM changes one of them.
 */

/** Returns the pg pool of a data source; undefined for a data source that is not connected. */
export function poolOf(dataSource: DataSource): Pool | undefined {
  return (dataSource.driver as unknown as { readonly master?: Pool }).master;
}

/** Tells a query runner that its connection is inside a transaction, so that it does not begin one. */
export function markTransactionBegun(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}
