// npm run bench:metrics — what measuring costs a request. See bench/README.md.
import { parseArgs } from 'node:util';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, tokenOf } from '../support/service.mjs';
import { measureVariants, VARIANT_OPTIONS } from '../support/variants.mjs';
import { withService } from '../support/with-service.mjs';

const { values: options } = parseArgs({ options: VARIANT_OPTIONS });
const run = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, Number(value)]));

/**
 * Without metrics and with them, each twice to show what differs by chance. The first service of a process is up to a
 * tenth faster than those behind it, since its code was compiled for it alone: it does not count.
 */
const MEASURED = { METRICS_PORT: '0' };
const VARIANTS = { first: {}, without: {}, with: MEASURED, again: {}, 'with again': MEASURED };

const RECORDS = 500;

const USERS = Array.from({ length: 10 }, (_, n) => ({ email: `user${n}@bench.test` }));

const ACCOUNT = {
  slug: 'bench',
  users: USERS,
  routers: [
    { name: 'One', object_type: 'contacts', published: true, settings: { overwrite: true }, users: USERS },
  ],
};

await withService(ACCOUNT, async ({ env, newClient }) => {
  const first = await startServer(SERVER, env);
  const token = await tokenOf(first.address, newClient());
  const send = sender(first.address, token);
  const bodies = '{"fields":{"first_name":"Ada","last_name":"Lovelace"}}';
  // A record is in one transaction at a time.
  const ids = [];
  for (let n = 0; n < RECORDS; n++) ids.push((await send('POST', '/contacts', JSON.parse(bodies))).id);
  const { data: routers } = await send('GET', '/routers');
  await stopServer(first);
  const headers = { authorization: `Bearer ${token}` };
  const dispatch = (n) => JSON.stringify({ router_id: routers[0].id, object_id: ids[n % RECORDS] });
  const requests = {
    GET: { method: 'GET', path: `/contacts/${ids[0]}`, headers },
    POST: { path: '/contacts', headers, bodies },
    dispatch: { path: '/dispatch/router', headers, bodies: dispatch },
  };
  const measured = { variants: VARIANTS, requests, subject: 'metrics', uncounted: ['first'] };
  await measureVariants(env, measured, run);
});
