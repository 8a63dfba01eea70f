import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlockedWrites } from '../support/database/blocked-writes.js';
import { largeAccount } from '../support/database/large-account.js';
import type { RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses, type Seat } from '../support/processes/server-processes.js';
import { tableRows } from '../support/database/table-rows.js';

// A process that is killed in the middle of a change of the configuration. The middle is the first write to a
// table, which another session holds: the change has written everything before it by then.

let servers: ServerProcesses;
let folder: string;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
beforeEach(() => {
  folder = servers.programs.folder();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

const url = (): string => servers.env.DATABASE_URL;

/** Every row of the configuration and its audit. Counts of requests, and processes, change with time. */
async function stored(): Promise<Record<string, string[]>> {
  const rows = await tableRows(url());
  return Object.fromEntries(
    Object.entries(rows).filter(([table]) => !['public.request_counts', 'public.processes'].includes(table)),
  );
}

interface Killable {
  signal(signal: NodeJS.Signals): void;
  exit(): Promise<number | null>;
}

/** Kills a process when it waits for a table, whose lock it never gets. */
async function killedAt(table: string, start: () => Killable): Promise<{ hasWritten: boolean }> {
  const lock = await BlockedWrites.of(url(), table);
  try {
    const process = start();
    const { pid, hasWritten } = await lock.blocked();
    process.signal('SIGKILL');
    expect(await process.exit()).toBeNull();
    await lock.release(pid);
    return { hasWritten };
  } catch (error) {
    await lock.end();
    throw new Error(`At ${table}: ${String(error)}`, { cause: error });
  }
}

describe('A large file whose apply is killed', () => {
  const applied = (name: 'old' | 'new'): string[] => ['apply', join(folder, `${name}.json`)];
  const exported = async (): Promise<string> => {
    const { code, stdout } = await servers.programs.cli(['export', '--account', 'large'], servers.env);
    expect(code).toBe(0);
    return stdout;
  };

  /** In the order in which they are written. */
  const TABLES = [
    'users',
    'teams',
    'field_definitions',
    'capacities',
    'routers',
    'router_versions',
    'audit_entries',
    'accounts',
  ];

  it('leaves the configuration as it was, and its audit, wherever it is killed; the next apply does it all [contract 5, contract 6]', async () => {
    for (const name of ['old', 'new'] as const) {
      writeFileSync(join(folder, `${name}.json`), largeAccount('large', name));
    }
    expect((await servers.programs.cli(applied('old'), servers.env)).code).toBe(0);
    const [before, file] = [await stored(), await exported()];

    let inTheMiddle = 0;
    for (const table of TABLES) {
      const { hasWritten } = await killedAt(table, () => servers.programs.start(applied('new'), servers.env));
      if (hasWritten) inTheMiddle += 1;
      expect(await stored()).toEqual(before);
    }
    expect(await exported()).toBe(file);
    // The first table is the first thing that an apply writes.
    expect(inTheMiddle).toBeGreaterThanOrEqual(TABLES.length - 1);

    const { code, stderr } = await servers.programs.cli(applied('new'), servers.env);
    expect([code, stderr]).toEqual([0, '']);
    expect((await servers.programs.cli([...applied('new'), '--dry-run'], servers.env)).code).toBe(0);
    expect((await stored())['public.audit_entries']!.length).toBeGreaterThan(before['public.audit_entries']!.length);
    expect(await exported()).not.toBe(file);
  }, 300_000); // prettier-ignore
});

describe('A server that is killed', () => {
  const FILE = `
accounts:
  - slug: killed
    users: [{ email: ada@killed.test }, { email: bob@killed.test }]
    teams: [{ name: Sales, members: [ada@killed.test, bob@killed.test] }]
    routers:
      - name: Inbound
        object_type: contacts
        published: true
        settings: { overwrite: true, default_user: ada@killed.test, rules: [{ name: A, users: [{ email: ada@killed.test }] }] }
        users: [{ email: ada@killed.test }]
`;
  let seat: Seat;
  let account: RoutingAccount;
  let routerId: string;
  let userId: string;

  beforeEach(async () => {
    await servers.desk.apply(FILE);
    const api = await servers.desk.login('killed', ['manage', 'routers:read']);
    account = { api } as RoutingAccount;
    routerId = (await api.get('/routers')).body.data[0].id;
    userId = (await api.get('/users')).body.data[0].id;
    seat = await servers.start(account);
  });

  const CHANGES: readonly [name: string, tables: readonly string[], path: () => string, body: object][] = [
    ['publish', ['router_versions', 'routers', 'audit_entries', 'accounts'], () => `/routers/${routerId}/publish`, { note: 'x' }],
    ['rollback', ['router_versions', 'routers', 'audit_entries', 'accounts'], () => `/routers/${routerId}/rollback`, { version: 1 }],
    ['rename', ['users', 'audit_entries', 'accounts'], () => `/users/${userId}`, {}],
  ]; // prettier-ignore

  it.each(CHANGES)('in a %s leaves all as it was, and its audit; asked again, it is done [contract 6]', async (name, tables, pathOf, sent) => {
    const { data: [user] } = (await account.api.get('/users')).body;
    // What was changed by the test before is another name of the user.
    const body = name === 'rename' ? { email: `renamed-${user.email}` } : sent;
    const method = name === 'rename' ? 'PATCH' : 'POST';
    await account.api.patch(`/routers/${routerId}`, { settings: { overwrite: name === 'rollback' } });
    if (name === 'rollback') await account.api.post(`/routers/${routerId}/publish`);
    const before = await stored();
    for (const table of tables) {
      await killedAt(table, () => {
        seat.api.request(method, pathOf(), body).catch(() => undefined);
        return seat.process;
      });
      expect(await stored()).toEqual(before);
      seat = await servers.start(account);
    }
    const { status } = await seat.api.request(method, pathOf(), body);
    expect(status).toBe(200);
    const after = await stored();
    expect(after['public.audit_entries']).toHaveLength(before['public.audit_entries']!.length + 1);
    if (name !== 'rename') expect(after['public.router_versions']).toHaveLength(before['public.router_versions']!.length + 1);
    else expect(JSON.stringify(after['public.users'])).toContain(`renamed-${user.email}`);
  }, 300_000); // prettier-ignore
});
