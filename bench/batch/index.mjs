// npm run bench:batch — what many things cost in one request, against as many requests. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { cpuOf, cpuOfCluster, postmasterOf } from '../support/usage.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    size: { type: 'string', default: '500' },
  },
});
const rounds = Number(options.rounds);
const size = Number(options.size);

let next = 0;
const contact = () => {
  const key = `bench-${next++}`;
  return {
    external_id: key,
    email: `${key}@bench.example`,
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+44 20 7946 0000',
    city: 'London',
    company_name: 'Analytical Engines',
  };
};
const change = () => ({ city: `City ${next++}`, phone: '+44 20 7946 0001' });

/** What is done to records in one request, and in one for each. */
const ACTIONS = {
  create: {
    inputs: () => Array.from({ length: size }, () => ({ fields: contact() })),
    single: (send, { fields }) => send('POST', '/contacts', { fields }),
  },
  read: {
    inputs: (records) => records.map(({ id }) => ({ id })),
    single: (send, { id }) => send('GET', `/contacts/${id}`),
  },
  update: {
    inputs: (records) => records.map(({ id }) => ({ id, fields: change() })),
    single: (send, { id, fields }) => send('PATCH', `/contacts/${id}`, { fields }),
  },
  upsert: {
    id_property: 'external_id',
    inputs: (records) => records.map(({ external_id: id }) => ({ id, fields: change() })),
    single: (send, { id, fields }) => send('PUT', `/contacts/${id}?id_property=external_id`, { fields }),
  },
  archive: {
    inputs: (records) => records.map(({ id }) => ({ id })),
    single: (send, { id }) => send('DELETE', `/contacts/${id}`),
  },
  restore: {
    inputs: (records) => records.map(({ id }) => ({ id })),
    single: (send, { id }) => send('POST', `/contacts/${id}/restore`),
  },
};

const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-batch-'));
const undo = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const dataDir = join(folder, 'data');
  const postgres = await EmbeddedPostgres.open({ dataDir, maxConnections: 50 });
  undo.push(() => postgres.close());
  const { env, cli } = serviceOn(postgres.url);
  cli('migrate');
  const file = join(folder, 'bench.yaml');
  writeFileSync(file, 'accounts: [{ slug: bench }]');
  cli('apply', file);
  const client = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  const server = await startServer(SERVER, env);
  undo.push(() => stopServer(server));
  const send = sender(server.address, await tokenOf(server.address, client));
  const cluster = postmasterOf(dataDir);

  /** @returns milliseconds of the clock, and of the CPU: of the service and of the database */
  const measured = async (work) => {
    const [service, database, start] = [cpuOf(server.child.pid), cpuOfCluster(cluster), performance.now()];
    await work();
    return {
      time: performance.now() - start,
      service: cpuOf(server.child.pid) - service,
      database: cpuOfCluster(cluster) - database,
    };
  };
  const batch = async (action, inputs) => {
    const { id_property } = ACTIONS[action];
    const { results } = await send('POST', `/contacts/batch/${action}`, { inputs, id_property });
    const failed = results.find(({ status }) => status >= 300);
    if (failed !== undefined) throw new Error(`${action}: ${JSON.stringify(failed)}`);
    return results.map(({ record }) => record);
  };

  const all = Object.keys(ACTIONS).map((action) => [action, { batch: [], single: [] }]);
  for (let round = 0; round <= rounds; round++) {
    let records = [[], []];
    for (const [action, totals] of all) {
      const { inputs, single } = ACTIONS[action];
      const given = records.map((each) => inputs(each));
      const alone = [];
      const one = await measured(async () => {
        for (const input of given[0]) alone.push(await single(send, input));
      });
      let together = [];
      const many = await measured(async () => (together = await batch(action, given[1])));
      if (action === 'create') records = [alone, together];
      // The first round fills caches.
      if (round === 0) continue;
      totals.single.push(one);
      totals.batch.push(many);
    }
  }
  const rows = all.map(([action, totals]) => {
    // The clock of the CPU has ticks of 10 ms: of a round it tells little.
    const of = (way, key) => totals[way].reduce((sum, each) => sum + each[key], 0) / rounds;
    const cpu = (way) => of(way, 'service') + of(way, 'database');
    const perRecord = (ms) => Math.round((ms * 1000) / size);
    return [
      action,
      ...['single', 'batch'].flatMap((way) => [
        perRecord(of(way, 'time')),
        perRecord(of(way, 'service')),
        perRecord(of(way, 'database')),
      ]),
      (of('single', 'time') / of('batch', 'time')).toFixed(1),
      (cpu('single') / cpu('batch')).toFixed(1),
    ];
  });
  const head = [
    'action',
    ...['requests', 'batch'].flatMap((way) => [`${way}: µs`, 'CPU', 'of database']),
    'ratio',
    'of CPU',
  ];
  console.log(
    `${size} records, in a request each and in one, mean of ${rounds} rounds\n${table(head, rows)}`,
  );
} finally {
  for (const step of undo.reverse()) await step();
}
