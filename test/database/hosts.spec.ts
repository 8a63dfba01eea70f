import { once } from 'node:events';
import { join } from 'node:path';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { AccountEntity } from '../../src/accounts/account.entity.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { DatabaseProbe } from '../../src/database/connection/database.probe.js';
import { Database, DEFAULT_LIMITS, isUnavailable } from '../../src/database/index.js';
import { poolOf } from '../../src/database/driver/driver.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { Stranger } from '../support/database/stranger.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { poolOf as poolAt } from '../support/database/pool-of.js';
import { Programs } from '../support/processes/program.js';

/** Nothing listens there. */
const NOBODY = '127.0.0.1:1';

const status = (name: string, value: string): string => {
  const text = Buffer.from(`${name}\0${value}\0`);
  return `53 ${(text.length + 4).toString(16).padStart(8, '0')} ${text.toString('hex')}`;
};

/** How a standby lets in, and waits for a statement. */
const STANDBY = `52 00000008 00000000 ${status('in_hot_standby', 'on')}
  ${status('default_transaction_read_only', 'off')} 5a 00000005 49`;

const STATEMENT = { name: 'one', text: 'SELECT 1 AS one' };

let test: TestDatabase;
let proxy: PostgresProxy;
const programs = new Programs();
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  proxy = await PostgresProxy.start(test.url);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await proxy.restore();
});
afterAll(async () => {
  await programs.end();
  await proxy.close();
  await test.drop();
});

/** Returns the address of the database with other hosts. */
const at = (hosts: readonly string[], target?: string): string => {
  const query = target === undefined ? '' : `?target_session_attrs=${target}`;
  return `${proxy.url.replace(/@[^/]+/, `@${hosts.join(',')}`)}${query}`;
};

const here = (): string => `127.0.0.1:${proxy.port}`;

async function open(
  url: string,
  options: { poolSize?: number; unlimited?: boolean } = {},
): Promise<Database> {
  const limits = { ...DEFAULT_LIMITS, poolWait: 2_000 };
  const dataSource = createDataSource({ url, poolSize: 1, entities: [AccountEntity], limits, ...options });
  await dataSource.initialize();
  ends.push(() => dataSource.destroy());
  return Database.of(dataSource);
}

/** A listener that lets everybody in as a standby does, or says nothing. @returns its host */
async function standIn(greeting: string): Promise<{ stranger: Stranger; host: string }> {
  const stranger = await Stranger.listen({ port: 0, host: '127.0.0.1' }, [greeting]);
  ends.push(() => stranger.close());
  return { stranger, host: `127.0.0.1:${(stranger.address as AddressInfo).port}` };
}

/** Takes from what the database says the names of some settings, as a pooler does. @returns its host */
async function keptToItself(): Promise<string> {
  const { hostname, port } = new URL(test.url);
  const server = createServer((client) => {
    const database = connect({ path: `${decodeURIComponent(hostname)}/.s.PGSQL.${port}` });
    const renamed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const names = /in_hot_standby|default_transaction_read_only\0/g;
        const text = chunk.toString('latin1').replace(names, (name) => `x${name.slice(1)}`);
        done(null, Buffer.from(text, 'latin1'));
      },
    });
    for (const end of [client, database]) end.on('error', () => undefined);
    client.on('close', () => database.destroy());
    client.pipe(database).pipe(renamed).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => once(server.close(), 'close'));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error as Error,
  );

const one = (database: Database): Promise<unknown> => database.query(STATEMENT, []);

describe('of several hosts', () => {
  it.each(['any', 'read-write'])('one that refuses is passed over, for %s [contract 13]', async (target) => {
    const database = await open(at([NOBODY, here()], target));
    expect(await one(database)).toEqual([{ one: 1 }]);
  });

  it('one that is silent takes a part of the time, and is asked last afterwards [contract 13]', async () => {
    const { stranger, host } = await standIn('');
    // However long the machine stands still, the silence was a moment ago.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const database = await open(at([host, here()]), { poolSize: 3 });
    expect(await Promise.all([one(database), one(database), one(database)])).toHaveLength(3);
    expect(stranger.told.length).toBe(1);
  });

  it('each is used for as many connections, by any [contract 13]', async () => {
    const second = await PostgresProxy.start(test.url);
    ends.push(() => second.close());
    const dataSource = createDataSource({
      url: at([here(), `127.0.0.1:${second.port}`]),
      poolSize: 6,
      entities: [AccountEntity],
    });
    await dataSource.initialize();
    ends.push(() => dataSource.destroy());
    const pool = poolOf(dataSource)!;
    const clients = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
    const ports = clients.map(({ port }) => port).sort();
    for (const client of clients) client.release();
    const expected = [proxy.port, proxy.port, proxy.port, second.port, second.port, second.port];
    expect(ports).toEqual(expected.sort());
  });

  it('the first that answers is used for all connections of a migration [contract 13]', async () => {
    const second = await PostgresProxy.start(test.url);
    ends.push(() => second.close());
    const dataSource = createDataSource({
      url: at([NOBODY, here(), `127.0.0.1:${second.port}`]),
      poolSize: 3,
      entities: [],
      unlimited: true,
    });
    await dataSource.initialize();
    ends.push(() => dataSource.destroy());
    const clients = await Promise.all([1, 2, 3].map(() => poolOf(dataSource)!.connect()));
    expect(clients.map(({ port }) => port)).toEqual([proxy.port, proxy.port, proxy.port]);
    for (const client of clients) client.release();
  });

  it('none that can be used is an outage that names each [contract 13]', async () => {
    const { host } = await standIn(STANDBY);
    const database = await open(at([host, here()], 'read-write'));
    proxy.refuse();
    await proxy.cut();
    const error = await failure(one(database));
    expect(isUnavailable(error)).toBe(true);
    expect(error.message).toContain(`${host}: it is read-only, and target_session_attrs is read-write`);
    expect(error.message).toContain(`${here()}: connect ECONNREFUSED`);
  });

  it('the readiness asks for one that answers, too [contract 13]', async () => {
    const dataSource = createDataSource({
      url: at([NOBODY, here()], 'read-write'),
      poolSize: 1,
      entities: [],
    });
    await dataSource.initialize();
    ends.push(() => dataSource.destroy());
    const probe = new DatabaseProbe(poolOf(dataSource), 10_000);
    ends.push(() => probe.close());
    await probe.check();
    await proxy.cut();
    expect(isUnavailable(await failure(probe.check()))).toBe(true);
  });

  it('a wrong password is told by the first, and the others are not asked [contract 13]', async () => {
    const scram = await createTestDatabase({ prefix: 'scram', empty: true });
    ends.push(() => scram.drop());
    const { stranger, host } = await standIn(STANDBY);
    const { hostname, port, pathname } = new URL(scram.url);
    const url = `postgres://fairlead:hunter2@${hostname}:${port},${host}${pathname}`;
    expect(await failure(open(url))).toMatchObject({ code: '28P01' });
    expect(stranger.told).toEqual([]);
  });
});

describe('a connection that is lost while the password is being proven', () => {
  /** Passes on what is said until the server has said what the proof needs. @returns its host */
  async function cutting(url: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const server = createServer((client) => {
      const database = connect({ path: `${decodeURIComponent(hostname)}/.s.PGSQL.${port}` });
      for (const end of [client, database]) end.on('error', () => undefined);
      client.on('close', () => database.destroy());
      client.pipe(database);
      let said = 0;
      database.on('data', (chunk) => client.write(chunk, () => (said += 1) === 2 && client.destroy()));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => once(server.close(), 'close'));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each([1, 2])('is one of another host, or an outage: %d times of 2 [contract 13]', async (times) => {
    const scram = await createTestDatabase({ prefix: 'scram' });
    ends.push(() => scram.drop());
    const { host } = new URL(scram.url);
    const hosts = [await cutting(scram.url), times === 1 ? host : await cutting(scram.url)];
    const opened = open(scram.url.replace(/@[^/]+/, `@${hosts.join(',')}`));
    if (times === 1) expect(await one(await opened)).toEqual([{ one: 1 }]);
    else expect(await failure(opened)).toMatchObject({ name: 'NoHostError' });
  });
});

describe('of a primary and a standby', () => {
  it('the primary is used, whichever is named first [contract 13]', async () => {
    const { stranger, host } = await standIn(STANDBY);
    const database = await open(at([host, here()], 'read-write'));
    await one(database);
    expect(stranger.told).toHaveLength(1);
    // Connections after the first ask the primary at once.
    const other = await open(at([here(), host], 'read-write'));
    await one(other);
    expect(stranger.told).toHaveLength(1);
  });

  it('another one is used once the primary is gone [contract 13]', async () => {
    const second = await PostgresProxy.start(test.url);
    ends.push(() => second.close());
    const database = await open(at([here(), `127.0.0.1:${second.port}`], 'read-write'));
    await proxy.cut();
    expect(await one(database)).toEqual([{ one: 1 }]);
  });

  it.each([
    ['writable', 'off', undefined],
    ['read-only', 'on', /it is read-only/],
  ])('a server that keeps it to itself is asked: %s [contract 13]', async (_, value, refusal) => {
    const own = await createTestDatabase();
    ends.push(() => own.drop());
    const host = await keptToItself();
    const url = at([host], 'read-write').replace(/\/[^/?]+\?/, `${new URL(own.url).pathname}?`);
    await poolAt(own.url).query(
      `ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );
    const opened = open(url);
    if (refusal === undefined) expect(await one(await opened)).toEqual([{ one: 1 }]);
    else expect((await failure(opened)).message).toMatch(refusal);
  });
});

describe('commands', () => {
  it('take an address with several hosts, and say of each why it cannot be used [contract 13]', async () => {
    const DATABASE_URL = at([NOBODY, here()], 'read-write');
    expect(await programs.cli(['migrate'], { DATABASE_URL })).toMatchObject({ code: 0 });
    expect(await programs.cli(['account', 'list'], { DATABASE_URL })).toMatchObject({ code: 0 });
    const path = join(programs.folder(), 'a.dump');
    const dump = await programs.cli(['dump', path], { DATABASE_URL });
    expect(dump).toMatchObject({ code: 0 });
    expect(await programs.cli(['load', path], { DATABASE_URL })).toMatchObject({ code: 0 });
    const nowhere = await programs.cli(['account', 'list'], { DATABASE_URL: at([NOBODY, '127.0.0.1:2']) });
    expect(nowhere.stderr).toBe(
      'Cannot connect to the database at DATABASE_URL: 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; ' +
        '127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2\n',
    );
  });
});
