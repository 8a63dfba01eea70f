import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { AssignmentsRepository } from '../../src/assignments/assignments.repository.js';
import { LogFoldsRepository } from '../../src/assignments/fold/log-folds.repository.js';
import { SettledIds } from '../../src/database/index.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';

const SIZES = { batch: 5, user: 3, others: 4 };
const USER = 'ada@acme.test';
const LONG_AGO = new Date(Date.UTC(2020, 0, 1));
const FOLDER = 'test-folder';

const log = new AssignmentsRepository();
const folds = new LogFoldsRepository();
let test: TestDatabase;
let reader: Session;

/** A process of its own, as far as the database can tell. */
interface Session {
  readonly database: Database;
  close(): Promise<void>;
}

async function connect(sessionName?: string): Promise<Session> {
  const dataSource = createDataSource({
    url: test.url,
    poolSize: 3,
    entities: ENTITIES,
    ...(sessionName && { sessionName }),
  });
  await dataSource.initialize();
  return { database: Database.of(dataSource), close: () => dataSource.destroy() };
}

beforeAll(async () => {
  test = await createTestDatabase();
  reader = await connect();
});
afterAll(async () => {
  await reader.close();
  await test.drop();
});

/** Adds entries as a dispatch does: the id of the transaction first, then their ids by the clock. */
class Writer {
  private constructor(
    private readonly client: Client,
    private readonly accountId: string,
  ) {}

  static async open(accountId: string): Promise<Writer> {
    const client = new Client({ connectionString: test.url });
    await client.connect();
    return new Writer(client, accountId);
  }

  async begin(): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query('SELECT pg_current_xact_id()');
  }

  async add(entries: number): Promise<void> {
    await this.client.query(
      `INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
       SELECT $1, uuid_v7(clock_timestamp() + n * interval '1 microsecond'), $1, 'contacts', $1, $3, 'round_robin', 'x', statement_timestamp()
       FROM generate_series(1, $2) AS n`,
      [this.accountId, entries, USER],
    );
  }

  end(how: 'COMMIT' | 'ROLLBACK'): Promise<unknown> {
    return this.client.query(how);
  }

  async addAtOnce(entries: number): Promise<void> {
    await this.begin();
    await this.add(entries);
    await this.end('COMMIT');
    // What is settled is told by milliseconds. The next look is in a later one than these entries.
    await this.client.query('SELECT pg_sleep(0.005)');
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

/** Folds what is settled now, if the transactions of this moment end. */
async function foldAll({ database }: Session, accountId: string, settledIds: SettledIds): Promise<number> {
  const settled = settledIds.add(await folds.observe(database));
  let batches = 0;
  const fold = (): Promise<boolean> =>
    database.transaction((tx) =>
      folds.fold(tx, { accountId }, { settled: settled ?? LONG_AGO, sizes: SIZES }),
    );
  while (await fold()) batches += 1;
  return batches;
}

/**
 * Folds until the blocks have that many entries. Transactions of other tests, on the same server, can keep
 * entries from being settled for a moment.
 */
async function foldTo(entries: number, accountId: string, settledIds: SettledIds): Promise<void> {
  await waitFor(`${entries} entries in blocks`, async () => {
    await foldAll(reader, accountId, settledIds);
    return (await counts(accountId)).folded === entries;
  });
}

/** Counts by the blocks and entry by entry, in one snapshot. */
async function counts(accountId: string): Promise<{ fromBlocks: number[]; truth: number[]; folded: number }> {
  const filters = new Map([['user', USER] as const]);
  const windows = new Map([[USER, { month: LONG_AGO }]]);
  const { database } = reader;
  return database.transaction(
    async (tx) => {
      const page = { limit: 1, offset: 0, behind: undefined };
      const all = await log.list(tx, { accountId }, { filters: new Map(), ...page });
      const ofUser = await log.list(tx, { accountId }, { filters, ...page });
      const assigned = await log.countAssigned(tx, { accountId }, { windows, until: null });
      const [row] = await tx.query<{ entries: number; folded: number }>(
        {
          name: 'truth',
          text: `SELECT (SELECT count(*)::int FROM assignments WHERE account_id = $1) AS entries,
            (SELECT COALESCE(sum(entries), 0)::int FROM assignment_blocks
              WHERE account_id = $1 AND router_id <> $1 AND user_email = '') AS folded`,
        },
        [accountId],
      );
      const truth = row?.entries ?? -1;
      return {
        fromBlocks: [all.count, ofUser.count, assigned.get(USER)?.month ?? -1],
        truth: [truth, truth, truth],
        folded: row?.folded ?? -1,
      };
    },
    { isolation: 'REPEATABLE READ', readOnly: true },
  );
}

describe('A transaction that was there when its log was looked at', () => {
  it('keeps its entries out of the blocks until it has ended, also where none has ended since [contract 6]', async () => {
    const accountId = randomUUID();
    const [early, first, held] = [
      await Writer.open(accountId),
      await Writer.open(accountId),
      await Writer.open(accountId),
    ];
    const settledIds = new SettledIds(0);
    await early.addAtOnce(7);
    await first.begin();
    await held.begin();
    await held.add(2);
    await foldAll(reader, accountId, settledIds);
    expect(await foldAll(reader, accountId, settledIds)).toBe(0);
    await first.end('ROLLBACK');
    expect(await foldAll(reader, accountId, settledIds)).toBe(0);
    await early.addAtOnce(20);
    expect(await foldAll(reader, accountId, settledIds)).toBe(0);

    await held.end('COMMIT');
    await foldTo(25, accountId, settledIds);
    const { fromBlocks, truth, folded } = await counts(accountId);
    expect(truth).toEqual([29, 29, 29]);
    expect(fromBlocks).toEqual(truth);
    expect(folded).toBe(25);
    await Promise.all([early.close(), first.close(), held.close()]);
  });

  it('counts where it ends before the next look, and its log was folded to what was there before it', async () => {
    const accountId = randomUUID();
    const [early, held] = [await Writer.open(accountId), await Writer.open(accountId)];
    const settledIds = new SettledIds(0);
    await early.addAtOnce(11);
    await foldAll(reader, accountId, settledIds);
    await held.begin();
    await held.add(1);
    await foldTo(10, accountId, settledIds);
    await early.addAtOnce(9);
    await held.end('COMMIT');
    await foldTo(20, accountId, settledIds);
    const { fromBlocks, truth, folded } = await counts(accountId);
    expect(fromBlocks).toEqual(truth);
    expect([truth[0], folded]).toEqual([21, 20]);
    await Promise.all([early.close(), held.close()]);
  });
});

describe('Eight writers, two folders whose connections are killed, and a reader', () => {
  it('agree at every moment about how many entries there are [contract 6]', async () => {
    const ROUNDS = 40;
    const accountId = randomUUID();
    let writing = true;
    const write = async (seed: number): Promise<void> => {
      const writer = await Writer.open(accountId);
      for (let round = 0; round < ROUNDS; round++) {
        await writer.begin();
        for (let part = 0; part <= (seed + round) % 3; part++) await writer.add(1 + ((seed * round) % 4));
        await writer.end((seed + round) % 5 === 0 ? 'ROLLBACK' : 'COMMIT');
      }
      await writer.close();
    };
    const folders = [await connect(FOLDER), await connect(FOLDER)];
    const fold = async (session: Session): Promise<void> => {
      const settledIds = new SettledIds(0);
      // What a kill interrupts is done again, or fails and is done in the next round.
      while (writing) await foldAll(session, accountId, settledIds).catch(() => 0);
      await session.close();
    };
    const kill = async (): Promise<void> => {
      const client = new Client({ connectionString: test.url });
      await client.connect();
      while (writing) {
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 ORDER BY random() LIMIT 1',
          [FOLDER],
        );
        const { fromBlocks, truth } = await counts(accountId);
        expect(fromBlocks).toEqual(truth);
      }
      await client.end();
    };
    const others = Promise.all([...folders.map(fold), kill()]);
    await Promise.all(Array.from({ length: 8 }, (_, seed) => write(seed))).finally(() => (writing = false));
    await others;

    const all = (await counts(accountId)).truth[0]!;
    await foldTo(all - (all % SIZES.batch), accountId, new SettledIds(0));
    const { fromBlocks, truth, folded } = await counts(accountId);
    expect(fromBlocks).toEqual(truth);
    expect(truth[0]! - folded).toBe(all % SIZES.batch);
  });
});
