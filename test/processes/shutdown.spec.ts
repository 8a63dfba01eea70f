import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient } from '../support/api-client.js';
import { demoClient } from '../support/processes/first-start.js';
import { postgresOf, postgresUrl, Programs } from '../support/processes/program.js';
import { untilReady } from '../support/processes/until-ready.js';
import { waitFor } from '../support/wait-for.js';

const programs = new Programs();
const agents: Agent[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  for (const socket of sockets.splice(0)) socket.destroy();
  await programs.end();
});

const refusesConnections = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`).then(
    () => false,
    () => true,
  );

/** Sends a request over a connection that stays open afterwards. */
function askAndKeepOpen(url: string): Promise<number | undefined> {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', reject);
  });
}

/** Opens a connection and sends an incomplete request. */
async function openConnection(url: string, start: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(start);
}

/** A request that waits for a lock does so for longer than a slow machine takes for a test. */
const PATIENT = {
  DATABASE_LOCK_TIMEOUT_MS: '40000',
  DATABASE_STATEMENT_TIMEOUT_MS: '41000',
  DATABASE_ANSWER_TIMEOUT_MS: '42000',
  REQUEST_TIMEOUT_MS: '50000',
};

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  it('lets a request under way finish, then ends with 0 and stops the database [contract 5]', async () => {
    const cwd = programs.folder();
    const dataDir = join(cwd, 'data');
    const server = programs.server(PATIENT, cwd);
    const url = await server.listening();
    const api = await demoClient(server, url);
    const admin = new Client({ connectionString: postgresUrl(dataDir) });
    admin.on('error', () => undefined);
    await admin.connect();
    await admin.query('BEGIN; LOCK TABLE records IN ACCESS EXCLUSIVE MODE');
    const pending = api.post('/contacts', { fields: { first_name: 'Late' } });
    await waitFor('the request to wait for the lock', async () => {
      const { rows } = await admin.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });

    server.signal(signal);
    await waitFor('the server to take no more requests', () => refusesConnections(url));
    expect(server.ended).toBe(false);
    await admin.query('ROLLBACK');
    await admin.end();
    const { status, body } = await pending;
    expect({ status, first_name: body.first_name }).toEqual({ status: 201, first_name: 'Late' });

    expect(await server.exit()).toBe(0);
    expect(server.stderr).toBe('');
    expect(postgresOf(dataDir)).toBeUndefined();
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(server.logs.map(({ msg }) => msg)).toContain('stopping');
  });
});

describe('SIGTERM behind a load balancer', () => {
  it('serves on for a while, is not ready, and sends clients elsewhere [contract 5]', async () => {
    const server = programs.server({ DRAIN_SECONDS: '15', DEMO: 'false' });
    const url = await server.listening();
    // A connection on which nothing is asked keeps the server from ending early.
    await openConnection(url, '');
    await untilReady(url);
    server.signal('SIGTERM');
    await waitFor('the server to be not ready', async () => {
      const { status } = await fetch(`${url}/health/ready`);
      return status === 503;
    });
    for (let count = 0; count < 3; count++) {
      const { status, headers } = await fetch(`${url}/health/live`);
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
    }
    expect(server.ended).toBe(false);
    for (const socket of sockets) socket.destroy();
    expect(await server.exit()).toBe(0);
    expect(server.stderr).toBe('');
  });
});

describe('a stop', () => {
  it('does not wait for clients that ask nothing, or never finish asking [contract 5]', async () => {
    const cwd = programs.folder();
    const server = programs.server({ DEMO: 'false' }, cwd);
    const url = await server.listening();
    expect(await askAndKeepOpen(`${url}/health/ready`)).toBe(200);
    await openConnection(url, '');
    await openConnection(url, 'GET /health/live HTTP/1.1\r\nHo');
    await openConnection(
      url,
      'POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    expect(await server.stop()).toBe(0);
    expect(server.stderr).toBe('');
    expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
  });

  it('waits for the request that came last for as long as a request may take [contract 5]', async () => {
    const cwd = programs.folder();
    const server = programs.server(PATIENT, cwd);
    const url = await server.listening();
    const api = await demoClient(server, url);
    const admin = new Client({ connectionString: postgresUrl(join(cwd, 'data')) });
    admin.on('error', () => undefined);
    await admin.connect();
    await admin.query('BEGIN; LOCK TABLE records IN ACCESS EXCLUSIVE MODE');
    const pending = api.post('/contacts', { fields: { first_name: 'Late' } });
    await waitFor('the request to wait for the lock', async () => {
      const { rowCount } = await admin.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      return rowCount === 1;
    });
    server.signal('SIGTERM');
    await waitFor('the server to take no more requests', () => refusesConnections(url));
    // A request of the default settings may take this long.
    await admin.query('SELECT pg_sleep(14)');
    await admin.query('ROLLBACK');
    await admin.end();
    expect((await pending).status).toBe(201);
    expect(await server.exit()).toBe(0);
    expect(server.stderr).toBe('');
  });

  it('is forced by a second signal while a request hangs [contract 5]', async () => {
    const cwd = programs.folder();
    const server = programs.server(PATIENT, cwd);
    const url = await server.listening();
    const api = await demoClient(server, url);
    const admin = new Client({ connectionString: postgresUrl(join(cwd, 'data')) });
    admin.on('error', () => undefined);
    await admin.connect();
    try {
      await admin.query('BEGIN; LOCK TABLE records IN ACCESS EXCLUSIVE MODE');
      const pending = api.post('/contacts', { fields: { first_name: 'Never' } }).catch(() => undefined);
      await waitFor('the request to wait for the lock', async () => {
        const { rows } = await admin.query('SELECT 1 FROM pg_locks WHERE NOT granted');
        return rows.length > 0;
      });
      server.signal('SIGTERM');
      await waitFor('the server to take no more requests', () => refusesConnections(url));
      server.signal('SIGTERM');
      // This is well before its own time limit, after which it would also end with 1.
      await waitFor('the server to end', () => server.ended, 30_000);
      expect(await server.exit()).toBe(1);
      expect(await pending).toBeUndefined();
    } finally {
      await admin.end();
    }
  });
});

describe('two processes on one DATA_DIR', () => {
  it('share the database, which the last of them stops [contract 5]', async () => {
    const cwd = programs.folder();
    const dataDir = join(cwd, 'data');
    const first = programs.server({}, cwd);
    const api = await demoClient(first, await first.listening());
    const { body: contact } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const postgres = postgresOf(dataDir);

    const second = programs.server({}, cwd);
    const elsewhere = new ApiClient(await second.listening(), api.token);
    expect(second.stdout).not.toContain('client_secret');
    expect((await elsewhere.get(`/contacts/${contact.id}`)).body).toEqual(contact);
    const list = await programs.cli(['account', 'list'], {}, { cwd });
    expect(list.stdout).toContain('demo');

    expect(await first.stop()).toBe(0);
    expect(postgresOf(dataDir)).toBe(postgres);
    expect((await elsewhere.get(`/contacts/${contact.id}`)).status).toBe(200);
    expect(await second.stop()).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
  });

  it('that start at once on a fresh one make one database and one demo account [contract 5]', async () => {
    const cwd = programs.folder();
    const servers = [programs.server({}, cwd), programs.server({}, cwd)];
    const urls = await Promise.all(servers.map((server) => server.listening()));
    await Promise.all(urls.map(untilReady));
    const announcing = servers.filter(({ stdout }) => stdout.includes('client_secret'));
    expect(announcing).toHaveLength(1);
    const api = await demoClient(announcing[0]!, urls[servers.indexOf(announcing[0]!)]!);
    for (const url of urls) {
      expect((await new ApiClient(url, api.token).get('/contacts')).status).toBe(200);
    }
    const { stdout } = await programs.cli(['client', 'list', '--account', 'demo', '--json'], {}, { cwd });
    expect(JSON.parse(stdout).clients).toHaveLength(1);
    for (const server of servers) expect(await server.stop()).toBe(0);
    expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
  });
});
