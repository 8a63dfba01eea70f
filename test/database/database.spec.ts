// No service: it holds the clock.
import { Client } from 'pg';
import { AccountEntity } from '../../src/accounts/account.entity.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database } from '../../src/database/database.js';
import type { Queryable, Statement } from '../../src/database/queryable.js';

const statement = (name: string, text: string): Statement => ({ name, text });
const ADD = statement('add', 'UPDATE counter SET n = n + $1');
const READ = statement('read', 'SELECT n FROM counter');

let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;

beforeAll(async () => {
  await TestService.stopShared();
  test = await createTestDatabase({ empty: true });
  dataSource = createDataSource({ url: test.url, poolSize: 5, entities: [AccountEntity] });
  await dataSource.initialize();
  database = Database.of(dataSource);
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
  it('undoes the work of each guard that fails, also around others that failed before', async () => {
    const fail = (): never => {
      throw new Error('a mistake');
    };
    await database.transaction(async (tx) => {
      await tx.query(ADD, [1]);
      const outer = tx.savepoint(async () => {
        await tx.query(ADD, [10]);
        await tx.savepoint(fail).catch(() => undefined);
        await tx.query(ADD, [100]);
        fail();
      });
      await expect(outer).rejects.toThrow('a mistake');
    });
    expect(await count()).toBe(1);
  });

  it('commits what its work did, and gives what it gave', async () => {
    const result = await database.transaction(async (tx) => {
      await tx.query(ADD, [2]);
      expect(await count()).toBe(0);
      return tx.query<{ n: number }>(READ, []);
    });
    expect(result).toEqual([{ n: 2 }]);
    expect(await count()).toBe(2);
  });

  it('undoes a dry run, also as a part of another transaction, and gives what its work gave', async () => {
    const tried = (db: Database): Promise<{ n: number }[]> =>
      db.transaction(
        async (tx) => {
          await tx.query(ADD, [2]);
          return tx.queryLast<{ n: number }>(READ, []);
        },
        { dryRun: true },
      );
    expect(await tried(database)).toEqual([{ n: 2 }]);
    expect(await count()).toBe(0);
    await database.transaction(async (transaction) => {
      await transaction.query(ADD, [5]);
      expect(await tried(database.for({ transaction }))).toEqual([{ n: 7 }]);
    });
    expect(await count()).toBe(5);
  });

  it('undoes everything when the work fails, and fails as the work did', async () => {
    const mistake = new Error('a mistake');
    const work = database.transaction(async (tx) => {
      await tx.query(ADD, [2]);
      await tx.repository(AccountEntity).query('UPDATE counter SET n = n + 1');
      throw mistake;
    });
    await expect(work).rejects.toBe(mistake);
    expect(await count()).toBe(0);
  });

  it('runs its work again as a whole after a serialization failure, on what is there then', async () => {
    let attempts = 0;
    await database.transaction(
      async (tx) => {
        attempts += 1;
        await tx.query(READ, []);
        if (attempts === 1) await database.query(ADD, [10]);
        await tx.query(ADD, [1]);
      },
      { isolation: 'REPEATABLE READ' },
    );
    expect(attempts).toBe(2);
    expect(await count()).toBe(11);
  });

  it('gives up after five attempts, with the error of the last', async () => {
    let attempts = 0;
    const work = database.transaction(
      async (tx) => {
        attempts += 1;
        await tx.query(READ, []);
        await database.query(ADD, [1]);
        await tx.query(ADD, [100]);
      },
      { isolation: 'REPEATABLE READ' },
    );
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

  it('runs statements that are sent together in the order in which they were sent', async () => {
    const rows = await database.transaction(
      async (tx) => {
        const sent = [READ, statement('add3', 'UPDATE counter SET n = n + 3'), READ].map((one) =>
          tx.query<{ n: number }>(one, []),
        );
        return Promise.all(sent);
      },
      { eager: true },
    );
    expect(rows).toEqual([[{ n: 0 }], [], [{ n: 3 }]]);
    expect(await count()).toBe(3);
  });

  it('commits with its last statement, and nothing where that fails', async () => {
    const returning = statement('returning', 'UPDATE counter SET n = n + 1 RETURNING n');
    const given = await database.transaction((tx) => tx.queryLast(returning, []), { eager: true });
    expect(given).toEqual([{ n: 1 }]);
    const work = database.transaction(
      async (tx) => {
        await tx.query(ADD, [5]);
        return tx.queryLast(statement('divide', 'UPDATE counter SET n = n / 0'), []);
      },
      { eager: true },
    );
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await count()).toBe(1);
  });

  it('runs its work again where the last statement lost to another transaction', async () => {
    let attempts = 0;
    await database.transaction(
      async (tx) => {
        attempts += 1;
        await tx.query(READ, []);
        if (attempts === 1) await database.query(ADD, [10]);
        await tx.queryLast(ADD, [1]);
      },
      { isolation: 'REPEATABLE READ', eager: true },
    );
    expect({ attempts, n: await count() }).toEqual({ attempts: 2, n: 11 });
  });

  it('fails as the first did of several statements sent together, however they are waited for', async () => {
    const late = async (promise: Promise<unknown>): Promise<unknown> => {
      const [settled] = await Promise.allSettled([promise]);
      await new Promise(setImmediate);
      return settled.status === 'fulfilled' ? settled.value : Promise.reject(settled.reason as Error);
    };
    const work = database.transaction(
      async (tx) => {
        await tx.savepoint(() => tx.query(statement('other', 'SELECT other'), [])).catch(() => undefined);
        const first = tx.query(statement('nonsense', 'SELECT nonsense FROM counter'), []);
        const second = tx.query(READ, []);
        await Promise.all([late(first), second]);
      },
      { eager: true },
    );
    await expect(work).rejects.toMatchObject({ code: '42703', message: expect.stringContaining('nonsense') });
  });

  it('does not pass for committed where a statement failed, whoever caught that', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(ADD, [5]);
      await tx.query(statement('nonsense', 'SELECT nonsense'), []).catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: '42703' });
    expect(await count()).toBe(0);
  });

  it('fails as the first did for statements that are new to the connection, too', async () => {
    const once = statement('once', 'SELECT n AS once FROM counter');
    const single = createDataSource({ url: test.url, poolSize: 1, entities: [] });
    await single.initialize();
    try {
      const alone = Database.of(single);
      const errors: unknown[] = [];
      const work = alone.transaction(async (tx) => {
        const sent = [statement('divide', 'SELECT 1 / 0'), once, once, once].map((one) => tx.query(one, []));
        errors.push(
          ...(await Promise.allSettled(sent)).map((each) => (each as PromiseRejectedResult).reason),
        );
        throw errors[3] as Error;
      });
      await expect(work).rejects.toMatchObject({ code: '22012' });
      expect(errors.map((error) => (error as { code: string }).code)).toEqual(Array(4).fill('22012'));
      expect(await alone.transaction((tx) => tx.query(once, []))).toEqual([{ once: 0 }]);
    } finally {
      await single.destroy();
    }
  });

  it('takes no statement after its last, nor any when it cannot begin', async () => {
    const late = database.transaction(async (tx) => {
      await tx.queryLast(ADD, [1]);
      await tx.query(ADD, [100]);
    });
    await expect(late).rejects.toThrow('The transaction has ended');
    expect(await count()).toBe(1);
    const options = { isolation: 'NONSENSE' as never, eager: true };
    const last = database.transaction((tx) => tx.queryLast(ADD, [100]), options);
    await expect(last).rejects.toMatchObject({ code: '42601' });
    const guarded = database.transaction((tx) => tx.savepoint(() => tx.query(ADD, [100])), options);
    await expect(guarded).rejects.toMatchObject({ code: '42601' });
    expect(await count()).toBe(1);
  });

  it('waits for statements sent together as long as it takes them one after the other', async () => {
    const limits = { statement: 60_000, lock: 60_000, idleInTransaction: 60_000, poolWait: 60_000 };
    const impatient = createDataSource({
      url: test.url,
      poolSize: 1,
      entities: [],
      limits: { ...limits, answer: 1_000 },
    });
    await impatient.initialize();
    const holder = new Client({ connectionString: test.url });
    await holder.connect();
    try {
      await holder.query('SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
      jest.useFakeTimers({
        doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
      });
      const rows = await Database.of(impatient).transaction(async (tx) => {
        const naps = [1, 2].map((key) =>
          tx.query<{ rested: number }>(
            statement(`nap${key}`, `SELECT pg_advisory_xact_lock(${key}), 1 AS rested`),
            [],
          ),
        );
        const rested = Promise.all(naps);
        rested.catch(() => undefined);
        // The limits of both have begun.
        expect(jest.getTimerCount()).toBe(2);
        jest.advanceTimersByTime(700);
        await holder.query('SELECT pg_advisory_unlock(1)');
        await naps[0];
        jest.advanceTimersByTime(700);
        jest.useRealTimers();
        await holder.query('SELECT pg_advisory_unlock(2)');
        return rested;
      });
      expect(rows.map(([row]) => row?.rested)).toEqual([1, 1]);
    } finally {
      jest.useRealTimers();
      await holder.end();
      await impatient.destroy();
    }
  });

  it('starts no work in a transaction that cannot begin', async () => {
    let reached = false;
    const work = database.transaction(
      async (tx) => {
        await tx.query(ADD, [5]);
        reached = true;
      },
      { isolation: 'NONSENSE' as never, eager: true },
    );
    await expect(work).rejects.toMatchObject({ code: '42601' });
    expect(reached).toBe(false);
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

describe('a session', () => {
  const SETTINGS = [
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'client_connection_check_interval',
  ];
  const SHOW = statement(
    'show',
    'SELECT array(SELECT current_setting(name) FROM unnest($1::text[]) AS name) AS values',
  );
  const shown = (db: Queryable): Promise<{ values: string[] }[]> => db.query(SHOW, [SETTINGS]);

  it('has limits of time, and notices that its client is gone [contract 1]', async () => {
    expect(await shown(database)).toEqual([{ values: ['5s', '1s', '4s', '1s'] }]);
  });

  it('has longer ones in a transaction for an administrator, and only there', async () => {
    const long = await database.transaction((tx) => shown(tx), { long: true });
    expect(long).toEqual([{ values: ['30s', '1s', '30s', '1s'] }]);
    expect(await shown(database)).toEqual([{ values: ['5s', '1s', '4s', '1s'] }]);
  });

  it('writes nothing in a transaction that only reads', async () => {
    const write = database.transaction((tx) => tx.query(ADD, [1]), { readOnly: true });
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });
});
