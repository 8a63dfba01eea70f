import { Client } from 'pg';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { DatabaseUnavailableError } from '../../src/database/errors.js';
import { Deadline } from '../../src/database/connection/deadline.js';
import { Database, DEFAULT_LIMITS, type DatabaseLimits } from '../../src/database/index.js';
import { OutageLog } from '../../src/database/connection/outage-log.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** Milliseconds by which answers are delayed so that none is waited for. */
const SILENT = 60_000;

const READ = { name: 'read', text: 'SELECT 1 AS one' };
const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep(2.5)' };
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const LOCKED = { name: 'locked', text: 'SELECT FROM accounts WHERE id = $1 FOR UPDATE' };

describe('the log of outages', () => {
  let test: TestDatabase;
  let proxy: PostgresProxy;
  let dataSource: ReturnType<typeof createDataSource>;
  let database: Database;
  let lines: string[];
  /** Milliseconds by which the clock of the log is ahead. */
  let ahead: number;

  beforeEach(async () => {
    test = await createTestDatabase();
    proxy = await PostgresProxy.start(test.url);
    [lines, ahead] = [[], 0];
  });
  afterEach(async () => {
    proxy.delayAnswers(0);
    await dataSource.destroy();
    await proxy.close();
    await test.drop();
  });

  async function open(limits: Partial<DatabaseLimits>): Promise<void> {
    const all = { ...DEFAULT_LIMITS, ...limits };
    dataSource = createDataSource({ url: proxy.url, poolSize: 2, entities: [], limits: all });
    await dataSource.initialize();
    const note = (line: string): number => lines.push(line);
    const now = (): number => performance.now() + ahead;
    database = Database.of(dataSource, new OutageLog({ error: note, warn: note }, now));
  }

  /** A request that has some milliseconds left. */
  const within = (milliseconds: number): ReturnType<Database['for']> =>
    database.for({ deadline: new Deadline(milliseconds) });

  it('has no line for work that waits for the locks of others [contract 1]', async () => {
    // It has less time left than a connection may take, so that it is not rerun.
    await open({ lock: 100, poolWait: 8_000 });
    const other = new Client({ connectionString: test.url });
    await other.connect();
    await other.query(`INSERT INTO accounts (id, slug, name) VALUES ('${ACCOUNT}', 'acme', 'Acme')`);
    await other.query('BEGIN; SELECT FROM accounts FOR UPDATE');
    const works = [
      () => within(7_500).transaction((tx) => tx.query(LOCKED, [ACCOUNT])),
      () => within(7_500).query(LOCKED, [ACCOUNT]),
    ];
    for (const work of works) await expect(work()).rejects.toMatchObject({ code: '55P03' });
    await other.query('ROLLBACK');
    await other.end();
    expect(lines).toEqual([]);
  });

  it('has no line for a statement that PostgreSQL has cancelled [contract 1]', async () => {
    await open({ statement: 500 });
    await expect(database.query(SLEEP, [])).rejects.toMatchObject({ code: '57014' });
    await expect(database.transaction((tx) => tx.query(SLEEP, []))).rejects.toMatchObject({ code: '57014' });
    expect(lines).toEqual([]);
  });

  it('has no line for statements that had little time, however many [contract 1]', async () => {
    const answer = 2_000;
    await open({ answer });
    const begun = performance.now();
    // Each waits for a second and a half or less, and all of them for longer than an answer may take.
    let unanswered = 0;
    while (performance.now() - begun < 2.5 * answer) {
      const error: unknown = await within(1_500)
        .query(SLEEP, [])
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      if ((error as Error).message === 'Query read timeout') unanswered += 1;
    }
    expect(unanswered).toBeGreaterThan(0);
    expect(lines).toEqual([]);
  });

  it('has no line for work that waits for a connection that others use [contract 1]', async () => {
    await open({ poolWait: 1_000 });
    // The limit is also that of opening a connection, and both are open afterwards.
    await Promise.all([1, 2].map(() => database.query(READ, [])));
    const busy = Promise.all([1, 2].map(() => database.query(SLEEP, [])));
    await expect(database.query(READ, [])).rejects.toThrow('timeout exceeded when trying to connect');
    await busy;
    expect(lines).toEqual([]);
  });

  it('has two lines where all work fails by the end of its request, since nothing is answered [contract 1]', async () => {
    const limits = { answer: 2_000, poolWait: 1_000 };
    await open(limits);
    await database.query(READ, []);
    proxy.delayAnswers(SILENT);
    const works = [
      () => within(2_500).query(READ, []),
      () => within(2_500).transaction((tx) => tx.query(READ, [])),
      () => within(2_500).read(() => new Promise(() => undefined)),
    ];
    let failures = 0;
    const fail = async (): Promise<void> => {
      for (const { status } of await Promise.allSettled(works.map((work) => work()))) {
        expect(status).toBe('rejected');
        if (lines.length > 0) failures += 1;
      }
    };
    while (lines.length === 0) await fail();
    await fail();
    expect(failures).toBeGreaterThan(works.length);
    expect(lines).toEqual([
      expect.stringMatching(/^The database cannot serve: it has answered nothing for \d+\.\d s$/),
    ]);
    const [seconds] = /\d+\.\d/.exec(lines[0] ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(limits.answer / 1_000);
    proxy.delayAnswers(0);
    await waitFor('the database to answer', () => database.query(READ, []).catch(() => undefined));
    expect(lines).toHaveLength(1);
    ahead = 10_000;
    await database.query(READ, []);
    await database.query(READ, []);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^The database serves again; \d+ failures within /),
    ]);
  });
});

describe('a service whose database is silent', () => {
  it('says so with one line, and with one that it is back, though requests fail by their own end [contract 1]', async () => {
    const test = await createTestDatabase();
    const proxy = await PostgresProxy.start(test.url);
    const url = { url: proxy.url, drop: () => Promise.resolve() };
    // A statement gets less time than an answer may take.
    const service = await TestService.start({
      database: url,
      poolSize: 4,
      limits: { statement: 2_000, answer: 2_500, poolWait: 1_500 },
      requestTimeout: 3_500,
    });
    const messages = (): string[] =>
      service.logs.filter(({ level }) => level === 'error' || level === 'warn').map(({ msg }) => msg);
    try {
      const api = await service.login('acme');
      await api.post('/contacts', { fields: { first_name: 'Ada' } });
      const ask = async (): Promise<number[]> => {
        // A batch has a transaction, and PostgreSQL ends the session of one that sends nothing.
        const batch = api.post('/contacts/batch/create', { inputs: [{ fields: { first_name: 'Bob' } }] });
        const answers = [batch, api.get('/contacts'), api.get('/contacts')];
        return (await Promise.all(answers)).map(({ status }) => status);
      };
      proxy.delayAnswers(SILENT);
      while (messages().length === 0) expect(await ask()).toEqual([503, 503, 503]);
      expect(messages()).toEqual([
        expect.stringMatching(/^The database cannot serve: (it has answered nothing|.* connection timeout)/),
      ]);
      proxy.delayAnswers(0);
      await waitFor('a line that it is back', async () => {
        await ask();
        return messages().length > 1;
      });
      await ask();
      expect(messages().slice(1)).toEqual([
        expect.stringMatching(/^The database serves again; \d+ failures /),
      ]);
    } finally {
      proxy.delayAnswers(0);
      await service.stop();
      await proxy.close();
      await test.drop();
    }
  });
});
