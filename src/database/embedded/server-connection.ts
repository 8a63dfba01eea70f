import { open } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../error-code.js';

/** Name of the superuser and of the database. */
export const DATABASE = 'fairlead';

/** The address of a server and the cluster that it must serve. */
export interface ServerTarget {
  /** Port on 127.0.0.1. */
  readonly port: number;
  readonly password: string;
  /** Directory of the cluster that the server must be serving. */
  readonly cluster: string;
}

const WRONG_PASSWORD = new Set(['28P01', '28000']);
const NO_SUCH_DATABASE = '3D000';
const DUPLICATE = new Set(['42P04', '23505']);

/**
 * Reads the identifier that initdb gave to the cluster in `directory`, from the start of its control file.
 */
async function systemIdentifier(directory: string): Promise<string> {
  const handle = await open(join(directory, 'global', 'pg_control'), 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return (endianness() === 'LE' ? buffer.readBigUInt64LE() : buffer.readBigUInt64BE()).toString();
  } finally {
    await handle.close();
  }
}

async function connectTo(target: ServerTarget, database: string): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port: target.port,
    user: DATABASE,
    password: target.password,
    database,
    ssl: false,
    application_name: 'fairlead-hold',
    connectionTimeoutMillis: 5_000,
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
      `The running server of ${target.cluster} does not accept the password in the file "postgres-password" ` +
        'beside it. Restore that file; or, if the password was changed in the database, write the new one there.',
      { cause: error },
    );
  }
  return client;
}

async function createDatabase(target: ServerTarget): Promise<void> {
  const client = await connectTo(target, 'postgres');
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Another process created it first.
    if (!DUPLICATE.has(errorCode(error) ?? '')) throw error;
  } finally {
    await client.end();
  }
}

/**
 * Connects to the database `fairlead` after a check that the server is that of the cluster. Creates the
 * database when it is missing. The connection never emits an unhandled error. Its statements wait at most 5
 * seconds for a lock.
 *
 * @throws {EmbeddedPostgresError} when the server refuses the password, so that a retry is useless
 * @throws another error, of the socket or of the server, when there is no answer yet or another server
 *   answers
 */
export async function connectToServer(target: ServerTarget): Promise<Client> {
  let client: Client;
  try {
    client = await connectTo(target, DATABASE);
  } catch (error) {
    if (errorCode(error) !== NO_SUCH_DATABASE) throw error;
    await createDatabase(target);
    client = await connectTo(target, DATABASE);
  }
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT system_identifier::text AS id FROM pg_control_system()',
    );
    if (rows[0]?.id !== (await systemIdentifier(target.cluster))) {
      throw new Error(`Port ${target.port} is another PostgreSQL server's.`);
    }
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
