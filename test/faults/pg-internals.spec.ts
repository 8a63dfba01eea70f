import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client, Pool, type PoolClient } from 'pg';
import {
  ScramClient,
  announcedProcess,
  answerTimeout,
  closeIdle,
  isConnectionClosed,
  saysConnectionLost,
  saysNoAnswer,
  saysUnavailable,
  sendTogether,
  sendWithTurn,
} from '../../src/database/pg-internals.js';
import { sendQuery } from '../../src/database/pg-query-internals.js';
import { GREETINGS, Stranger } from '../support/stranger.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';

/** Is not answered before the database is dropped, however slow the machine is. */
const UNANSWERED = 'SELECT pg_sleep(3600)';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ empty: true });
});
afterAll(() => test.drop());

async function withClient(options: object, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const pool = new Pool({ connectionString: test.url, max: 1, ...options });
  pool.on('error', () => undefined);
  const client = await pool.connect();
  client.on('error', () => undefined);
  try {
    await work(client);
  } finally {
    client.release(true);
    await pool.end();
  }
}

it('sends statements of the same moment as one packet', () =>
  withClient({ pipeline: true }, async (client) => {
    const { stream } = (client as unknown as { connection: { stream: NodeJS.WriteStream } }).connection;
    let writes = 0;
    const underlying = stream as unknown as {
      _writev: (...args: unknown[]) => void;
      _write: (...args: unknown[]) => void;
    };
    for (const method of ['_writev', '_write'] as const) {
      const original = underlying[method].bind(stream);
      underlying[method] = (...args: unknown[]): void => {
        writes += 1;
        original(...args);
      };
    }
    sendTogether(client);
    const answers = [1, 2, 3].map((n) => client.query('SELECT $1::int AS n', [n]));
    const rows = (await Promise.all(answers)).map((answer) => (answer.rows as unknown[])[0]);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(writes).toBe(1);
  }));

it('sends what several callbacks of a turn send as one packet', () =>
  withClient({ pipeline: true }, async (client) => {
    const { stream } = (client as unknown as { connection: { stream: { _writev: unknown } } }).connection;
    const write = jest.spyOn(stream as unknown as { _writev: () => void }, '_writev');
    const later = (n: number): Promise<unknown> =>
      Promise.resolve().then(() => {
        sendWithTurn(client);
        return sendQuery(client, { text: 'SELECT $1::int AS n', values: [n], limit: 5_000 });
      });
    const answers = await Promise.all([later(1), later(2)]);
    expect(answers).toMatchObject([{ rows: [{ n: 1 }] }, { rows: [{ n: 2 }] }]);
    expect(write).toHaveBeenCalledTimes(1);
  }));

it('sends a named statement that is prepared once, and several without a name', () =>
  withClient({ pipeline: true }, async (client) => {
    const named = { name: 'sum', text: 'SELECT $1::int + 1 AS n', limit: 5_000 };
    for (const n of [1, 2]) {
      expect((await sendQuery(client, { ...named, values: [n] })).rows).toEqual([{ n: n + 1 }]);
    }
    const prepared = "SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name = 'sum'";
    expect((await sendQuery(client, { text: prepared, limit: 5_000 })).rows).toEqual([{ n: 1 }]);
    const { command } = await sendQuery(client, { text: 'BEGIN', limit: 5_000 });
    expect(command).toBe('BEGIN');
    await sendQuery(client, { text: 'SET LOCAL lock_timeout = 1; ROLLBACK', limit: 5_000 });
  }));

it('fails a statement with its error, whose stack leads to who has sent it', () =>
  withClient({ pipeline: true }, async (client) => {
    const sender = (): Promise<unknown> => sendQuery(client, { text: 'SELECT 1 / 0', limit: 5_000 });
    const error = await sender().catch((reason: unknown) => reason as Error & { code: string });
    expect(error).toMatchObject({ code: '22012', message: 'division by zero' });
    expect((error as Error).stack).toContain('pg-internals.spec.ts');
  }));

it('closes a pipelined connection where a statement exceeds its own limit', () =>
  withClient({ pipeline: true, query_timeout: 60_000 }, async (client) => {
    const sent = sendQuery(client, { text: UNANSWERED, limit: 50 });
    const error: unknown = await sent.catch((reason: unknown) => reason);
    expect(saysNoAnswer(error)).toBe(true);
    expect(isConnectionClosed(client)).toBe(true);
  }));

it.each([
  [{ query_timeout: 1234 }, 1234],
  [{}, 0],
])('knows the time limit of a client with %j', (options, limit) =>
  withClient(options, (client) => {
    expect(answerTimeout(client)).toBe(limit);
    return Promise.resolve();
  }),
);

it('closes a pipelined connection that does not answer in time, so that no ROLLBACK has to', () =>
  withClient({ pipeline: true, query_timeout: 50 }, async (client) => {
    await expect(client.query(UNANSWERED)).rejects.toThrow();
    expect(isConnectionClosed(client)).toBe(true);
  }));

it('knows a closed connection before the pool does', () =>
  withClient({}, async (client) => {
    expect(isConnectionClosed(client)).toBe(false);
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    await ended;
    expect(isConnectionClosed(client)).toBe(true);
  }));

it('knows the process that the server named', () =>
  withClient({}, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(announcedProcess(client)).toBe(rows[0]?.pid);
  }));

it('closes the connections of a pool that nobody uses, and no others', async () => {
  const pool = new Pool({ connectionString: test.url, max: 3 });
  const [used, ...idle] = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  for (const client of idle) client.release();
  expect([pool.totalCount, pool.idleCount]).toEqual([3, 2]);
  closeIdle(pool);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 0]);
  expect((await used.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  used.release();
  await pool.end();
});

describe('an error of pg without a code says that the database is away', () => {
  const errorOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => new Error('it worked'),
      (error: unknown) => error as Error,
    );

  it('where an answer does not come in time', () =>
    withClient({ query_timeout: 50 }, async (client) => {
      const error = await errorOf(client.query(UNANSWERED));
      expect(error).not.toHaveProperty('code');
      expect([saysUnavailable, saysConnectionLost, saysNoAnswer].map((says) => says(error))).toEqual([
        true,
        true,
        true,
      ]);
    }));

  it('where the connection ends under a statement', () =>
    withClient({}, async (client) => {
      const error = errorOf(client.query(UNANSWERED));
      (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
      expect(saysUnavailable(await error)).toBe(true);
      expect(saysConnectionLost(await error)).toBe(true);
    }));

  it('where the pool has no connection in time', () =>
    withClient({}, async () => {
      const full = new Pool({ connectionString: test.url, max: 1 });
      // Only the second one has little time.
      const held = await full.connect();
      full.options.connectionTimeoutMillis = 50;
      const error = await errorOf(full.connect());
      expect([saysUnavailable(error), saysConnectionLost(error)]).toEqual([true, false]);
      held.release();
      await full.end();
    }));

  it('but not any other error', () => {
    expect(saysUnavailable(new Error('division by zero'))).toBe(false);
  });
});

describe('a client for SCRAM alone', () => {
  /** Tries to connect to a stranger. @returns the error, and what the stranger was told */
  async function visit(
    kind: typeof Client,
    greeting: string,
  ): Promise<{ error: unknown; told: readonly string[] }> {
    const stranger = await Stranger.listen({ port: 0, host: '127.0.0.1' }, [greeting]);
    const { port } = stranger.address as AddressInfo;
    const client = new kind({ host: '127.0.0.1', port, user: 'me', password: 'hunter2', database: 'mine' });
    client.on('error', () => undefined);
    const ended = once(client, 'end');
    const ends = jest.fn();
    const connecting = client
      .connect()
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
      .finally(ends);
    // Who has told the password waits for an answer to it.
    const hasTold = (): boolean => /^p[^]{4}[^]+\0$/.test(stranger.told[0] ?? '');
    const isOver = (): boolean => ends.mock.calls.length > 0;
    await waitFor('the client to give up, or to tell its password', () => isOver() || hasTold());
    if (!isOver()) await stranger.close();
    const error = await connecting;
    if (error === undefined) await client.end();
    await ended;
    await waitFor('the stranger to have read all', () => stranger.isAlone);
    await stranger.close();
    return { error, told: stranger.told };
  }

  it.each(Object.entries(GREETINGS))(
    'tells a server that %s nothing of the password',
    async (_, greeting) => {
      const { error, told } = await visit(ScramClient, greeting);
      expect(error).toBeInstanceOf(Error);
      // The first message of SCRAM has no name and no proof.
      expect(told).toEqual([expect.stringMatching(/^$|^p\0{3}.SCRAM-SHA-256\0\0{3}.n,,n=\*,r=[\w+/=]{24}$/)]);
    },
  );

  it('says what was asked for, as an error of an unavailable database', async () => {
    const { error } = await visit(ScramClient, GREETINGS['asks for the password in clear text']);
    expect(error).toMatchObject({ code: '08P01', message: expect.stringContaining('in clear text') });
  });

  it('is needed, because a client of pg does tell', async () => {
    const { told } = await visit(Client, GREETINGS['asks for the password in clear text']);
    expect(told).toEqual(['p\0\0\0\x0chunter2\0']);
  });

  it('works with PostgreSQL, in a pool as well', async () => {
    const asking = await createTestDatabase({ empty: true, prefix: 'scram' });
    const pool = new Pool({ connectionString: asking.url, max: 1, Client: ScramClient });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    await asking.drop();
  });
});
