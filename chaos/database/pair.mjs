// A primary and its synchronous standby, each a plain PostgreSQL.
import { appendFileSync, chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, Cluster } from './cluster.mjs';
import { withClient } from './connect.mjs';

const PROMOTE = 'pg_promote(boolean, integer)';

/** Milliseconds in which the standby follows the primary. */
const START_MS = 30_000;

/**
 * Starts both on copies of a data directory in which no server runs. The primary acknowledges what the standby has
 * stored, too.
 */
export async function startPair(data, leftovers) {
  const primary = data.copyTo(new Cluster(leftovers));
  appendFileSync(join(primary.cluster, 'pg_hba.conf'), 'local replication fairlead scram-sha-256\n');
  await primary.asSuperuser([
    'ALTER ROLE fairlead REPLICATION',
    `GRANT EXECUTE ON FUNCTION ${PROMOTE} TO fairlead`,
  ]);
  const standby = primary.copyTo(new Cluster(leftovers));
  writeFileSync(join(standby.cluster, 'standby.signal'), '');
  // PostgreSQL may run as another user, who has to find the socket.
  chmodSync(primary.directory, 0o711);
  await primary.start({ synchronous_standby_names: '*' });
  const { host, port, user, password } = primary.connection();
  await standby.start({
    primary_conninfo: `host='${host}' port=${port} user=${user} password='${password}'`,
  });
  // It is answered once the standby has it.
  await withClient({ ...primary.connection(), query_timeout: START_MS }, (client) =>
    client.query('CREATE TABLE in_step (); DROP TABLE in_step'),
  );
  return { primary, standby };
}

/** Makes a standby the primary, and waits until it is. */
export async function promote(standby) {
  await withClient(standby.connection(ADMIN), (client) => client.query('SELECT pg_promote(true, 60)'));
}
