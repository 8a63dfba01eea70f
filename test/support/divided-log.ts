import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { AssignmentsRepository } from '../../src/assignments/assignments.repository.js';
import type { FoldSizes } from '../../src/assignments/fold/fold.statements.js';
import { LogFoldsRepository } from '../../src/assignments/fold/log-folds.repository.js';
import { LogMonthsRepository } from '../../src/assignments/months/log-months.repository.js';
import { MonthDropper } from '../../src/assignments/months/month-dropper.js';
import { MonthMaker } from '../../src/assignments/months/month-maker.js';
import { LOG_TABLES, type LogTable } from '../../src/assignments/months/partitions.statements.js';
import { monthStart } from '../../src/assignments/months/month.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database, firstIdAt } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export const RETENTION_DAYS = 62;

/** An entry as a test makes it. */
export interface MadeEntry {
  readonly at: Date;
  readonly router: string;
  readonly user: string | null;
  /** Id of the record; the account's where it is not given. */
  readonly object?: string;
}

/** A database whose log is divided as it would be had the migration run at another time. */
export class DividedLog {
  readonly log = new AssignmentsRepository();
  readonly folds = new LogFoldsRepository();
  readonly months: MonthMaker;
  readonly dropper: MonthDropper;

  private constructor(
    readonly test: TestDatabase,
    readonly dataSource: DataSource,
    readonly database: Database,
    readonly client: Client,
  ) {
    this.months = DividedLog.makerOn(database);
    this.dropper = DividedLog.dropperOn(database);
  }

  /** @param boundary an instant of the month with which the partitions begin, behind the first one */
  static async open(boundary: Date): Promise<DividedLog> {
    const test = await createTestDatabase();
    const client = new Client({ connectionString: test.url });
    await client.connect();
    const start = monthStart(boundary, 0);
    for (const table of LOG_TABLES) {
      for (const [name, from, to] of [
        ['first', 'MINVALUE', `'${start}'`],
        ['later', `'${start}'`, 'MAXVALUE'],
      ]) {
        await client.query(`DROP TABLE ${table}_${name}`);
        await client.query(
          `CREATE TABLE ${table}_${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`,
        );
      }
    }
    const dataSource = await DividedLog.connect(test.url);
    return new DividedLog(test, dataSource, Database.of(dataSource), client);
  }

  static connect(url: string): Promise<DataSource> {
    return createDataSource({ url, poolSize: 4, entities: ENTITIES }).initialize();
  }

  static makerOn(database: Database): MonthMaker {
    return new MonthMaker(database, new LogMonthsRepository());
  }

  static dropperOn(database: Database): MonthDropper {
    const days = { ASSIGNMENT_RETENTION_DAYS: RETENTION_DAYS };
    return new MonthDropper(database, new LogMonthsRepository(), days);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.dataSource.destroy();
    await this.test.drop();
  }

  /** @returns the ids of the entries, in their order */
  async add(accountId: string, entries: readonly MadeEntry[]): Promise<string[]> {
    const ids = entries.map(({ at }) => firstIdAt(at).slice(0, 18) + randomUUID().slice(18));
    await this.client.query(
      `INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
       SELECT $1, id, router, 'contacts', object, "user", 'round_robin', 'x', at
       FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[]) AS e (id, router, "user", at, object)`,
      [
        accountId,
        ids,
        entries.map(({ router }) => router),
        entries.map(({ user }) => user),
        entries.map(({ at }) => at.toISOString()),
        entries.map(({ object }) => object ?? accountId),
      ],
    );
    return ids;
  }

  /** Folds one batch. */
  fold(accountId: string, settled: Date, sizes: FoldSizes): Promise<boolean> {
    return this.database.transaction((tx) => this.folds.fold(tx, { accountId }, { settled, sizes }));
  }

  /** The partitions and their numbers of entries, in order. */
  async partitions(table: LogTable = 'assignments'): Promise<Record<string, number>> {
    const names = await new LogMonthsRepository().list(this.database, table);
    const counts: Record<string, number> = {};
    for (const { name } of names) {
      const { rows } = await this.client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`);
      counts[name.replace(`${table}_`, '')] = rows[0]!.n;
    }
    return counts;
  }
}
