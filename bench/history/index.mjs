// npm run bench:history — what the history of records costs a write. See bench/README.md.
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, tokenOf } from '../support/service.mjs';
import { measureVariants, VARIANT_OPTIONS } from '../support/variants.mjs';
import { withService } from '../support/with-service.mjs';
import { CONTACT, costOfStatements } from './statements.mjs';

const { values: options } = parseArgs({
  options: { ...VARIANT_OPTIONS, only: { type: 'string', default: '' } },
});
const { only, ...sizes } = options;
const run = Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, Number(value)]));

/** Off and on, each twice to show what differs by chance. The first service of a process does not count. */
const OFF = { HISTORY: 'off' };
const VARIANTS = { first: OFF, off: OFF, on: {}, 'off again': OFF, 'on again': {} };

const RECORDS = 2_000;
const USERS = Array.from({ length: 10 }, (_, n) => ({ email: `user${n}@bench.test` }));
const ACCOUNT = {
  slug: 'bench',
  users: USERS,
  routers: [
    { name: 'One', object_type: 'contacts', published: true, settings: { overwrite: true }, users: USERS },
  ],
};

await withService(ACCOUNT, async ({ env, newClient }) => {
  if ('statements'.includes(only)) {
    const db = new pg.Client({ connectionString: env.DATABASE_URL });
    await db.connect();
    console.log(`\nPostgreSQL, one connection\n${await costOfStatements(db)}`);
    await db.end();
  }
  const first = await startServer(SERVER, env);
  const token = await tokenOf(first.address, newClient());
  const send = sender(first.address, token);
  const ids = [];
  for (let n = 0; n < RECORDS; n++) ids.push((await send('POST', '/contacts', { fields: CONTACT })).id);
  const { data: routers } = await send('GET', '/routers');
  await stopServer(first);
  let changes = 0;
  const headers = { authorization: `Bearer ${token}` };
  const requests = {
    POST: { path: '/contacts', headers, bodies: JSON.stringify({ fields: CONTACT }) },
    PATCH: {
      method: 'PATCH',
      path: (n) => `/contacts/${ids[n % RECORDS]}`,
      headers,
      bodies: () => JSON.stringify({ fields: { city: `City ${changes++}` } }),
    },
    dispatch: {
      path: '/dispatch/router',
      headers,
      bodies: (n) => JSON.stringify({ router_id: routers[0].id, object_id: ids[n % RECORDS] }),
    },
  };
  const asked = Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes(only)));
  if (Object.keys(asked).length === 0) return;
  const measured = { variants: VARIANTS, requests: asked, subject: 'history', uncounted: ['first'] };
  await measureVariants(env, measured, run);
});
