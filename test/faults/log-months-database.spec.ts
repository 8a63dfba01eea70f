import { randomUUID } from 'node:crypto';
import { LogCheck } from '../../src/assignments/fold/log-check.js';
import { LogChecksRepository } from '../../src/assignments/fold/log-checks.repository.js';
import { FOLD_SIZES } from '../../src/assignments/fold/fold.statements.js';
import { Client } from 'pg';
import { LogFoldsRepository } from '../../src/assignments/fold/log-folds.repository.js';
import { Database, logLock, MIGRATION_LOCK } from '../../src/database/index.js';
import { LOG_TABLES } from '../../src/assignments/months/partitions.statements.js';
import { DividedLog, type MadeEntry } from '../support/divided-log.js';

const USER = 'ada@acme.test';
const DAY = 86_400_000;
const [ROUTER, OTHER] = [randomUUID(), randomUUID()];
const day = (month: number, date: number): Date => new Date(Date.UTC(2026, month - 1, date, 12));
const at = (time: Date): MadeEntry => ({ at: time, router: ROUTER, user: USER });

let log: DividedLog;
beforeEach(async () => (log = await DividedLog.open(day(1, 1))));
afterEach(() => log.close());

/** Makes months. @returns those of the log */
const make = async (now: Date): Promise<string[]> => (await log.months.make(now)).assignments;

/** Drops months. @returns those of the log */
const drop = async (now: Date): Promise<string[]> =>
  (await log.dropper.drop(now)).filter((name) => name.startsWith('assignments_'));

/** Other processes on the same log. */
async function withOthers<T>(count: number, work: (others: readonly Database[]) => Promise<T>): Promise<T> {
  const sources = await Promise.all(Array.from({ length: count }, () => DividedLog.connect(log.test.url)));
  try {
    return await work(sources.map((source) => Database.of(source)));
  } finally {
    await Promise.all(sources.map((source) => source.destroy()));
  }
}

describe('The partitions of coming months', () => {
  it('are made up to the third month after this one, once', async () => {
    expect(await make(day(2, 28))).toEqual([1, 2, 3, 4, 5].map((n) => `2026_0${n}`));
    expect(await make(day(2, 28))).toEqual([]);
    expect(await make(day(3, 1))).toEqual(['2026_06']);
  });

  it('take the entries from the first millisecond of a month to the last', async () => {
    await make(day(2, 1));
    const instants = [
      '2025-12-31T23:59:59.999Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
    ];
    await log.add(randomUUID(), instants.map((instant) => at(new Date(instant)))); // prettier-ignore
    expect(await log.partitions()).toEqual({
      ...{ first: 1, '2026_01': 2, '2026_02': 1, '2026_03': 0, '2026_04': 0, '2026_05': 0, later: 1 },
    });
  });

  it('are made by one of several processes that try at once', async () => {
    await withOthers(4, async (others) => {
      const made = await Promise.all(others.map((each) => DividedLog.makerOn(each).make(day(2, 1))));
      for (const table of LOG_TABLES)
        expect(made.flatMap((each) => each[table]).sort()).toEqual([1, 2, 3, 4, 5].map((n) => `2026_0${n}`));
    });
  });

  it('are made before entries of a later time, which a clock has left', async () => {
    const accountId = randomUUID();
    await log.add(accountId, [at(new Date(Date.UTC(2199, 0, 1))), at(day(4, 9))]);
    // April is not free: it stays with what comes behind it.
    expect(await make(day(3, 1))).toEqual(['2026_01', '2026_02', '2026_03', '2026_04']);
    expect(await log.partitions()).toMatchObject({ '2026_03': 0, '2026_04': 2, later: 0 });
    expect(await make(day(6, 1))).toEqual([]);
  });

  it('come out of the last one, where nobody made them for months, while it is written to', async () => {
    const accountId = randomUUID();
    await log.add(accountId, [at(day(1, 5)), at(day(7, 9))]);
    let writing = true;
    let added = 2;
    const write = async (): Promise<void> => {
      while (writing) added += (await log.add(accountId, [at(day(7, 10)), at(day(8, 10))])).length;
    };
    const writer = write();
    expect(await make(day(7, 10))).toEqual(['2026_01']);
    expect(await make(day(7, 10))).toEqual(['2026_10']);
    writing = false;
    await writer;
    expect(await log.partitions()).toEqual({ first: 0, '2026_01': added, '2026_10': 0, later: 0 });
  });

  it('are left alone while a dump, a migration or another process holds the log', async () => {
    await log.client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    expect(await make(day(2, 1))).toEqual([]);
    expect(await drop(day(12, 1))).toEqual([]);
    await log.client.query('SELECT pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
    expect(await make(day(2, 1))).toHaveLength(5);
  });
});

describe('A partition older than the retention', () => {
  /** Three months, a folded part and a tail. @returns the ids */
  const fill = async (accountId: string, entries: number): Promise<string[]> => {
    await make(day(4, 1));
    const times = Array.from({ length: entries }, (_, n) => new Date(day(1, 1).getTime() + (n * 110 * DAY) / entries));
    const made = times.map((time, n) => ({ at: time, router: n % 3 === 0 ? OTHER : ROUTER, user: n % 5 === 0 ? null : `u${n % 4}@acme.test` }));
    const ids = await log.add(accountId, made);
    while (await log.fold(accountId, day(5, 1), FOLD_SIZES));
    return ids;
  }; // prettier-ignore
  /** Notes all entries as returned, when they were made. */
  const returnEach = async (accountId: string): Promise<void> => {
    await log.client.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [accountId]);
    await log.client.query(
      `INSERT INTO returned_assignments (account_id, assignment_id, user_email, assigned_at, returned_at, router_id, rotation_key)
        SELECT account_id, id, 'ada@acme.test', created_at, created_at, router_id, 'all' FROM assignments WHERE account_id = $1`,
      [accountId],
    );
  };
  const check = (): LogCheck => new LogCheck(log.database, new LogChecksRepository(), log.folds);
  const counts = async (accountId: string, router?: string): Promise<number> => {
    const filters = new Map(router === undefined ? [] : [['router', router] as const]);
    return (
      await log.log.list(log.database, { accountId }, { filters, limit: 1, offset: 0, behind: undefined })
    ).count;
  };

  it('goes when its last day is, and is no longer counted [contract 6]', async () => {
    const accountId = randomUUID();
    const ids = await fill(accountId, 11_000);
    const before = await log.partitions();
    await returnEach(accountId);
    expect(await drop(new Date(Date.UTC(2026, 3, 3) - 1))).toEqual([]);
    expect(await counts(accountId)).toBe(11_000);
    expect(await drop(new Date(Date.UTC(2026, 3, 4)))).toEqual(['assignments_2026_01']);
    const left = 11_000 - before['2026_01']!;
    expect(await counts(accountId)).toBe(left);
    expect(await counts(accountId, OTHER)).toBe(ids.slice(-left).filter((_, n) => (11_000 - left + n) % 3 === 0).length);
    expect(await log.log.find(log.database, { accountId }, ids[0]!)).toBeUndefined();
    const { rows } = await log.client.query('SELECT count(*)::int AS n FROM returned_assignments');
    expect(rows).toEqual([{ n: left }]);
    expect(await check().compare({ accountId })).toMatchObject({ wrong: 0 });
    expect(await drop(day(5, 2))).toEqual(['assignments_2026_02']);
    expect(await check().compare({ accountId })).toMatchObject({ wrong: 0 });
  }); // prettier-ignore

  it('leaves a partition for entries of a clock that is set back, which goes with the next month', async () => {
    const accountId = randomUUID();
    await fill(accountId, 100);
    await drop(day(4, 4));
    await log.add(accountId, [at(day(1, 3)), at(new Date(0))]);
    expect(await log.partitions()).toMatchObject({ first: 2 });
    const early = new Date(Date.UTC(2026, 1, 1) + 62 * DAY);
    expect(await drop(new Date(early.getTime() - 1))).toEqual([]);
    expect(await drop(early)).toEqual(['assignments_first']);
    expect(await drop(early)).toEqual([]);
    expect(await drop(day(5, 3))).toEqual(['assignments_2026_02']);
    expect(Object.keys(await log.partitions())[0]).toBe('first');
  });

  it('may have been the whole log of a series, which then begins anew [contract 6]', async () => {
    const accountId = randomUUID();
    await fill(accountId, 4_000);
    expect(await drop(day(9, 1))).toHaveLength(6);
    const { rows } = await log.client.query(
      'SELECT count(*)::int AS n FROM assignment_blocks UNION ALL SELECT count(*)::int FROM assignment_bases',
    );
    expect(rows).toEqual([{ n: 0 }, { n: 0 }]);
    await make(day(9, 1));
    await log.add(
      accountId,
      Array.from({ length: 2_003 }, (_, n) => at(new Date(day(9, 1).getTime() + n))),
    );
    expect(await log.fold(accountId, day(9, 2), FOLD_SIZES)).toBe(true);
    expect(await counts(accountId)).toBe(2_003);
    expect(await check().compare({ accountId })).toEqual({ compared: 2_000, wrong: 0 });
  });

  it('goes from the tail, where nothing was folded yet [contract 6]', async () => {
    const accountId = randomUUID();
    await fill(accountId, 1_100);
    await drop(day(4, 4));
    expect(await counts(accountId)).toBe((await log.partitions())['2026_02']! + (await log.partitions())['2026_03']! + (await log.partitions())['2026_04']!);
    expect(await check().compare({ accountId })).toEqual({ compared: 0, wrong: 0 });
  }); // prettier-ignore

  it('stays while somebody reads it for long, and so do its numbers', async () => {
    const accountId = randomUUID();
    await fill(accountId, 4_000);
    await log.client.query('BEGIN; SELECT FROM assignments LIMIT 1');
    await expect(drop(day(4, 4))).rejects.toMatchObject({ code: '55P03' });
    await log.client.query('COMMIT');
    expect(await counts(accountId)).toBe(4_000);
    expect(await drop(day(4, 4))).toEqual(['assignments_2026_01']);
    expect(await check().compare({ accountId })).toMatchObject({ wrong: 0 });
  });

  it('is dropped once by processes that try at once, and a repair begins without it [contract 6]', async () => {
    const accountId = randomUUID();
    await fill(accountId, 5_000);
    await withOthers(3, async (others) => {
      const dropped = await Promise.all(others.map((each) => DividedLog.dropperOn(each).drop(day(4, 4))));
      expect(dropped.flat().sort()).toEqual(['assignment_traces_2026_01', 'assignments_2026_01']);
    });
    const left = await counts(accountId);
    await log.client.query('UPDATE assignment_bases SET entries = entries + 1');
    expect((await check().compare({ accountId })).wrong).toBeGreaterThan(0);
    await log.database.transaction((tx) => log.folds.forget(tx, { accountId }));
    expect(await counts(accountId)).toBe(left);
    while (await log.fold(accountId, day(5, 1), FOLD_SIZES));
    expect(await check().compare({ accountId })).toMatchObject({ wrong: 0 });
  });

  it('goes while a check reads it, which then looks again [contract 5]', async () => {
    const accountId = randomUUID();
    await fill(accountId, 4_000);
    let reads = 0;
    const checks = new (class extends LogChecksRepository {
      override async readEntries(...of: Parameters<LogChecksRepository['readEntries']>) {
        const entries = await super.readEntries(...of);
        if (++reads === 1) expect(await drop(day(9, 1))).toHaveLength(6);
        return entries;
      }
    })();
    const result = await new LogCheck(log.database, checks, log.folds).compare({ accountId });
    expect([result, reads]).toEqual([{ compared: 0, wrong: 0 }, 2]);
  });

  it('may be repaired while others hold its log for a moment: it is folded when they are done [contract 5]', async () => {
    const accountId = randomUUID();
    await fill(accountId, 4_000);
    const holder = new Client({ connectionString: log.test.url });
    await holder.connect();
    const folds = new (class extends LogFoldsRepository {
      override async forget(...of: Parameters<LogFoldsRepository['forget']>): Promise<void> {
        await super.forget(...of);
        void holder
          .query(`SELECT pg_advisory_lock(${logLock('$1')}), pg_sleep(0.5)`, [accountId])
          .then(() => holder.end());
      }
    })();
    await new LogCheck(log.database, new LogChecksRepository(), folds).repair({ accountId });
    expect(await check().compare({ accountId })).toMatchObject({ wrong: 0 });
    const { rows } = await log.client.query(
      'SELECT sum(entries)::int AS n FROM assignment_blocks WHERE router_id = $1',
      [OTHER],
    );
    expect(rows[0].n).toBeGreaterThan(0);
  });
});
