import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client, Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { AccountEntity } from '../../src/accounts/account.entity.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import {
  entitiesOver,
  isClosed,
  limitAnswers,
  poolOf,
  saysConnectionLost,
  saysNoAnswer,
  saysNoConnection,
  saysNotSent,
  saysUnavailable,
  sendLimited,
  sendTogether,
  takeOver,
  ScramClient,
} from '../../src/database/driver/driver.js';
import { GREETINGS, Stranger } from '../support/database/stranger.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { waitFor } from '../support/wait-for.js';

/** Is not answered before the database is dropped, however slow the machine is. */
const UNANSWERED = 'SELECT pg_sleep(3600)';

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

/** A pool ends before its sessions have, and the database that is dropped then terminates them. */
function openPool(options: object): Pool {
  const pool = new Pool({ connectionString: test.url, max: 1, ...options });
  pool.on('error', () => undefined);
  return pool;
}

async function withClient(options: object, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const pool = openPool({ pipeline: true, ...options });
  const client = await pool.connect();
  client.on('error', () => undefined);
  try {
    await work(client);
  } finally {
    client.release(true);
    await pool.end();
  }
}

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error as Error,
  );

it('a data source has a pg pool once it is connected', async () => {
  expect(poolOf(dataSource)).toBeUndefined();
  await dataSource.initialize();
  expect(poolOf(dataSource)).toBeInstanceOf(Pool);
});

it('entities over a connection are inside its transaction, and take no connection of the pool', async () => {
  const client = await poolOf(dataSource)!.connect();
  await client.query('BEGIN');
  // Several rows of one insert make TypeORM open a transaction where there is none.
  await entitiesOver(dataSource, client)
    .getRepository(AccountEntity)
    .save([
      { id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5', slug: 'a', name: 'A' },
      { id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d6', slug: 'b', name: 'B' },
    ]);
  expect(poolOf(dataSource)).toMatchObject({ totalCount: 1, idleCount: 0 });
  await client.query('ROLLBACK');
  client.release();
  expect(await dataSource.getRepository(AccountEntity).count()).toBe(0);
});

it('statements of the same moment are sent as one packet', () =>
  withClient({}, async (client) => {
    const { stream } = (client as unknown as { connection: { stream: NodeJS.WriteStream } }).connection;
    const underlying = stream as unknown as { _writev: () => void; _write: () => void };
    const [many, one] = [jest.spyOn(underlying, '_writev'), jest.spyOn(underlying, '_write')];
    sendTogether(client);
    const answers = [1, 2, 3].map((n) => client.query<{ n: number }>('SELECT $1::int AS n', [n]));
    expect((await Promise.all(answers)).map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
    expect(many.mock.calls.length + one.mock.calls.length).toBe(1);
  }));

it('a statement that exceeds its own limit closes the connection', () =>
  withClient({ query_timeout: 60_000 }, async (client) => {
    const error = await failure(sendLimited(client, { text: UNANSWERED }, 50));
    expect([saysNoAnswer(error), saysConnectionLost(error), isClosed(client)]).toEqual([true, true, true]);
  }));

it('the limit of a connection is that of statements that have none, until it is given back', () =>
  withClient({ query_timeout: 60_000 }, async (client) => {
    const restore = limitAnswers(client, 50);
    restore();
    await client.query('SELECT pg_sleep(0.2)');
    limitAnswers(client, 50);
    expect(saysNoAnswer(await failure(client.query(UNANSWERED)))).toBe(true);
  }));

it('a closed connection is known before the pool knows it, and nothing is sent over it', () =>
  withClient({}, async (client) => {
    expect(isClosed(client)).toBe(false);
    const ended = new Promise((resolve) => client.once('end', resolve));
    await failure(client.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await ended;
    expect(isClosed(client)).toBe(true);
    const late = await failure(client.query('SELECT 1'));
    expect([saysNotSent(late), saysConnectionLost(late)]).toEqual([true, true]);
  }));

it('a connection that cannot be had in time says so, and is not one that was lost', async () => {
  const pool = openPool({ connectionTimeoutMillis: 400 });
  const client = await pool.connect();
  const error = await failure(pool.connect());
  expect([saysNoConnection(error), saysUnavailable(error), saysConnectionLost(error)]).toEqual([
    true,
    true,
    false,
  ]);
  client.release();
  await pool.end();
});

it('a client goes on with the connection of another one, and learns of its end', async () => {
  const options = { connectionString: test.url, pipeline: true };
  const [client, other] = [new Client(options), new Client(options)];
  await other.connect();
  const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  takeOver(client, other);
  client.on('error', () => undefined);
  const asked = [1, 2].map(() => client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
  expect((await Promise.all(asked)).map((answer) => answer.rows)).toEqual([rows, rows]);
  const ended = new Promise((resolve) => client.once('end', resolve));
  await failure(client.query('SELECT pg_terminate_backend(pg_backend_pid())'));
  await ended;
  expect([isClosed(client), saysNotSent(await failure(client.query('SELECT 1')))]).toEqual([true, true]);
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
    const pool = openPool({ connectionString: asking.url, Client: ScramClient });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    await asking.drop();
  });
});
