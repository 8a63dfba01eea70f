import { Client } from 'pg';
import { systemIdentifier } from './cluster-identity.js';
import { SERVICE_ROLE } from './cluster-roles.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../errors.js';
import type { ServerAddress } from './server-address.js';
import { HOLD_NAME } from './session-name.js';
import { requirePrivate } from './socket-directory.js';

/** The address of a server and the cluster that it must serve. */
export interface ServerTarget {
  readonly address: ServerAddress;
  readonly password: string;
  /** Directory of the cluster that the server must be serving. */
  readonly cluster: string;
}

const WRONG_PASSWORD = new Set(['28P01', '28000']);

async function connectTo({ address, password, cluster }: ServerTarget): Promise<Client> {
  if (address.host.startsWith('/')) await requirePrivate(address.host, cluster);
  const client = new Client({
    ...address,
    user: SERVICE_ROLE,
    password,
    database: SERVICE_ROLE,
    ssl: false,
    application_name: HOLD_NAME,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    keepAlive: true,
    // No statement of this folder takes longer, and a stopped process can keep a lock for any time.
    options: '-c lock_timeout=5s',
  });
  // Without a listener, a broken connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => undefined);
    if (!WRONG_PASSWORD.has(errorCode(error) ?? '')) throw error;
    throw new EmbeddedPostgresError(
      `The running server of ${cluster} does not accept the password in the file "postgres-password" ` +
        'beside it. Restore that file; or, if the password was changed in the database, write the new one there.',
      { cause: error, final: true },
    );
  }
  return client;
}

/**
 * Connects to the database of the service after a check that the server is that of the cluster. The
 * connection never emits an unhandled error. Its statements wait at most 5 seconds for a lock, and 10 seconds
 * for an answer.
 *
 * @throws {EmbeddedPostgresError} when the server refuses the password (a final error), or its socket is in a
 *   directory that others can use
 * @throws another error, of the socket or of the server, when there is no answer yet or another server
 *   answers
 */
export async function connectToServer(target: ServerTarget): Promise<Client> {
  const client = await connectTo(target);
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT system_identifier::text AS id FROM pg_control_system()',
    );
    if (rows[0]?.id !== (await systemIdentifier(target.cluster))) {
      throw new Error(`Another PostgreSQL server answers at ${target.address.host}:${target.address.port}.`);
    }
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
