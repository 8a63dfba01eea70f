import { Client } from 'pg';
import type { TestService } from '../test-service.js';

/** What a trigger does, in PL/pgSQL, and what stands between CREATE and EXECUTE. */
export interface TriggerParts {
  readonly body: string;
  readonly when: string;
}

/** Creates a trigger and its function of that name in the database of a service. */
export async function createTrigger(
  { database }: TestService,
  name: string,
  { body, when }: TriggerParts,
): Promise<void> {
  // A cluster takes a trigger of whoever says that it stays on its node.
  const options = '-c citus.enable_unsafe_triggers=on';
  const client = new Client({ connectionString: database.url, options });
  await client.connect();
  try {
    await client.query(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`,
    );
    await client.query(`CREATE ${when} EXECUTE FUNCTION ${name}()`);
  } finally {
    await client.end();
  }
}
