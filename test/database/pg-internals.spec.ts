import type { Duplex } from 'node:stream';
import { Pool, type PoolClient } from 'pg';
import {
  answerTimeout,
  isConnectionClosed,
  saysUnavailable,
  sendTogether,
} from '../../src/database/pg-internals.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

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
    await expect(client.query('SELECT pg_sleep(0.5)')).rejects.toThrow();
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

describe('an error of pg without a code says that the database is away', () => {
  const errorOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => new Error('it worked'),
      (error: unknown) => error as Error,
    );

  it('where an answer does not come in time', () =>
    withClient({ query_timeout: 50 }, async (client) => {
      const error = await errorOf(client.query('SELECT pg_sleep(0.5)'));
      expect(error).not.toHaveProperty('code');
      expect(saysUnavailable(error)).toBe(true);
    }));

  it('where the connection ends under a statement', () =>
    withClient({}, async (client) => {
      const error = errorOf(client.query('SELECT pg_sleep(5)'));
      (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
      expect(saysUnavailable(await error)).toBe(true);
    }));

  it('where the pool has no connection in time', () =>
    withClient({}, async () => {
      const full = new Pool({ connectionString: test.url, max: 1, connectionTimeoutMillis: 50 });
      const held = await full.connect();
      expect(saysUnavailable(await errorOf(full.connect()))).toBe(true);
      held.release();
      await full.end();
    }));

  it('but not any other error', () => {
    expect(saysUnavailable(new Error('division by zero'))).toBe(false);
  });
});
