// npm run bench:throttles — what counting requests costs, and how exact several processes count. See bench/README.md.
import { parseArgs } from 'node:util';
import { measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { measureVariants, VARIANT_OPTIONS } from '../support/variants.mjs';
import { withService } from '../support/with-service.mjs';
import { measureAlone } from './alone.mjs';

const { values: options } = parseArgs({
  options: {
    ...VARIANT_OPTIONS,
    processes: { type: 'string', default: '2,4' },
    limit: { type: 'string', default: '6000' },
  },
});
const [rounds, seconds, clients, limit] = ['rounds', 'seconds', 'clients', 'limit'].map((name) =>
  Number(options[name]),
);
const processes = options.processes.split(',').map(Number);

/** One that no run reaches, and of which a hundredth is a few seconds' load, so that exchanges take place. */
const UNREACHED = '400000';

/** Settings of the services: without limits, twice to show what differs by chance, and with them. */
const limitedTo = (limit) => ({ RATE_LIMIT_PER_CLIENT: limit, RATE_LIMIT_PER_ACCOUNT: limit });
const VARIANTS = { without: limitedTo('0'), again: limitedTo('0'), with: limitedTo(UNREACHED) };

/** Sends as fast as it can to several processes with a limit. @returns how many requests were admitted */
async function admitted(env, count, { token, path }) {
  const limited = { ...env, RATE_LIMIT_PER_CLIENT: String(limit), RATE_LIMIT_PER_ACCOUNT: '0' };
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(SERVER, limited)));
  try {
    const targets = servers.map(({ address }) => ({ url: address, method: 'GET', path, headers: token }));
    // Long enough to reach the limit, and far from the end of the minute.
    const time = 30;
    const { rate, failed } = await measure(targets, 2 * clients, time);
    if (failed === 0) throw new Error('The limit was not reached: give a lower --limit');
    return { good: Math.round(rate * time), refused: failed };
  } finally {
    await Promise.all(servers.map(stopServer));
  }
}

const [without, withLimits] = measureAlone();
const added = (withLimits - without).toFixed(2);
console.log(`An answer by itself: ${without.toFixed(2)} µs of CPU, with limits ${added} µs more`);

await withService({ slug: 'bench' }, async ({ env, newClient }) => {
  const first = await startServer(SERVER, env);
  const { address } = first;
  const headersOf = async () => ({ authorization: `Bearer ${await tokenOf(address, newClient())}` });
  const headers = await headersOf();
  const { id } = await sender(address, headers.authorization.slice('Bearer '.length))('POST', '/contacts', {
    fields: { first_name: 'Ada', last_name: 'Lovelace' },
  });
  const path = `/contacts/${id}`;
  const tokens = [];
  for (const _ of processes) tokens.push(await headersOf());
  await stopServer(first);
  const requests = {
    GET: { method: 'GET', path, headers },
    POST: { path: '/contacts', headers, bodies: '{"fields":{"first_name":"Ada","last_name":"Lovelace"}}' },
  };
  const measured = { variants: VARIANTS, requests, subject: 'limits' };
  await measureVariants(env, measured, { rounds, seconds, clients });
  const rows = [];
  for (const [index, count] of processes.entries()) {
    process.stderr.write(`${count} processes\n`);
    const { good, refused } = await admitted(env, count, { token: tokens[index], path });
    rows.push([count, good, `${((good / limit - 1) * 100).toFixed(1)} %`, refused]);
  }
  console.log(
    `\nA client with ${limit} requests a minute\n${table(['processes', 'admitted', 'beyond', 'refused'], rows)}`,
  );
});
