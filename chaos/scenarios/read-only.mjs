// The database becomes read-only, and later writable for new connections only, as after a failover.
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionsOf, terminate } from '../database/sessions.mjs';
import { failOnInternalErrors } from '../run/internal-errors.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';

/** Few statements that are their own transaction, because pools drop connections on which those fail. */
const MIX = { turns: 60, shares: 20, batch: 10, get: 10 };

/** Milliseconds for which the database is read-only. */
const READ_ONLY = 2_000;

/** Milliseconds until the service writes again. */
const BOUND = 2_000;

const setReadOnly = ({ cluster, database }, value) =>
  cluster.asSuperuser('postgres', (client) =>
    client.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`),
  );

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.external(context);
  await site.start();
  site.drive({ mix: MIX });
  for (let trial = 0; trial < trials; trial++) {
    await site.progress();
    await setReadOnly(site, 'on');
    await site.sql(async (client) =>
      terminate(
        client,
        (await sessionsOf(client)).map(({ pid }) => pid),
      ),
    );
    await sleep(READ_ONLY);
    // Connections that are open stay read-only.
    await setReadOnly(site, 'off');
    const accepted = performance.now();
    const what = 'open connections are read-only, new ones are not';
    await expectServesAgain({ site, findings }, { bound: BOUND, since: accepted, accepted, what });
    findings.trial();
  }
  await site.stopClients();
  await site.services[0].kill();
  await findings.checked(site);
  failOnInternalErrors({ site, findings });
}

export const readOnly = { name: 'read-only', promise: 'P1 P4 P8', trials: { quick: 1, long: 5 }, run };
