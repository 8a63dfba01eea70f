// npm run bench:configuration — see bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { memoryOf } from '../support/usage.mjs';
import { accountOf } from './file.mjs';

const SIZES = {
  large: { users: 2_000, teams: 40, fields: 200, routers: 300, rules: 50 },
  medium: { users: 500, teams: 40, fields: 200, routers: 100, rules: 20 },
};
const { values } = parseArgs({
  options: { size: { type: 'string', default: 'large' }, rounds: { type: 'string', default: '9' } },
});
const size = SIZES[values.size];
if (size === undefined) throw new Error(`--size must be one of ${Object.keys(SIZES).join(', ')}`);
const rounds = Number(values.rounds);

const require = createRequire(import.meta.url);
const { EmbeddedPostgres } = require('../../dist/src/database/embedded/embedded-postgres.js');

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-configuration-'));
const postgres = await EmbeddedPostgres.open({ dataDir, maxConnections: 50 });
const { env, cli } = serviceOn(postgres.url);
const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const account = accountOf('bench', size);
const file = join(dataDir, 'bench.yaml');
const apply = (changed = account) => {
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ accounts: [changed] }));
  return timed(() => cli('apply', file));
};
const small = { accounts: [{ slug: 'small' }] };

let server;
try {
  cli('migrate');
  writeFileSync(join(dataDir, 'small.yaml'), JSON.stringify(small));
  const results = [];
  const add = (what, times) => results.push([what, ms(median(times))]);
  const many = async (work) => {
    const times = [];
    for (let n = 0; n < rounds; n++) times.push(await work(n));
    return times;
  };
  add(
    'apply: an account without anything',
    await many(() => timed(() => cli('apply', join(dataDir, 'small.yaml')))),
  );
  add('apply: new', [await apply()]);
  add('apply: no change', await many(() => apply()));
  add('apply: one word', await many((n) => apply(renamed(n))));
  add('export', await many(() => timed(() => cli('export', '--account', 'bench'))));

  const client = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  server = await startServer(SERVER, env);
  const send = sender(server.address, await tokenOf(server.address, client));
  const before = memoryOf(server.child.pid);
  const routers = [];
  for (let offset = 0; offset < size.routers; offset += 100)
    routers.push(...(await send('GET', `/routers?limit=100&offset=${offset}`)).data.map(({ id }) => id));
  const { id: contact } = await send('POST', '/contacts', { fields: { first_name: 'Ada' } });
  const dispatch = (router) =>
    timed(() => send('POST', '/dispatch/router', { router_id: router, object_id: contact }));
  for (const router of routers) await dispatch(router);
  add('dispatch', await many((n) => dispatch(routers[n])));
  const afterChange = async (change) => {
    await apply(change);
    return dispatch(routers[0]);
  };
  add('dispatch, the first after a user changed', await many((n) => afterChange(switched(n))));
  add(
    'dispatch, the first after another router changed',
    await many((n) => afterChange(renamed(n + rounds))),
  );
  add('GET /routers?limit=100', await many(() => timed(() => send('GET', '/routers?limit=100'))));
  add('GET /routers?limit=1', await many(() => timed(() => send('GET', '/routers?limit=1'))));
  add('GET /routers/{id}', await many((n) => timed(() => send('GET', `/routers/${routers[n]}`))));
  console.log(table(['what', 'ms'], results));
  console.log(
    `\nMemory of the process: ${before?.now} MiB at its start, ${memoryOf(server.child.pid)?.now} MiB at the end`,
  );
} finally {
  if (server !== undefined) await stopServer(server);
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function ms(value) {
  return value.toFixed(1);
}

/** The account with one word of a rule of the second router changed. */
function renamed(n) {
  const [first, second, ...rest] = account.routers;
  const [rule, ...rules] = second.settings.rules;
  const trigger = JSON.parse(JSON.stringify(rule.trigger).replace('Bergen', `Bergen ${n}`));
  const settings = { ...second.settings, rules: [{ ...rule, trigger }, ...rules] };
  return { ...account, routers: [first, { ...second, settings }, ...rest] };
}

/** The account with a user whose switch is on and off by turns. */
function switched(n) {
  const [first, ...rest] = account.users;
  return { ...account, users: [{ ...first, available: n % 2 === 1 }, ...rest] };
}
