import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { openDatabase } from '../../src/database/open-database.js';
import { ENTITIES } from '../../src/start/entities.js';
import { GREETINGS, Stranger } from '../support/database/stranger.js';
import { Workshop, query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

const greetings = Object.values(GREETINGS);

describe('a stranger in the place of the embedded PostgreSQL', () => {
  const workshop = new Workshop();
  let stranger: Stranger | undefined;
  afterEach(async () => {
    await stranger?.close();
    await workshop.stop();
  });
  afterAll(async () => workshop.remove());

  it('is never told the password, and the server takes its place back', async () => {
    const dataDir = await workshop.keptDataDir();
    const logged: string[] = [];
    const log = (message: string): void => void logged.push(message);
    const at = { url: undefined, dataDir, poolSize: 2, migrate: false, entities: ENTITIES, log };
    const opened = await openDatabase(at);
    const { dataSource } = opened;

    // This keeps the server from coming back at once.
    const configuration = join(dataDir, 'postgres', 'postgresql.conf');
    const usable = readFileSync(configuration);
    appendFileSync(configuration, 'no_such_setting = 1');
    await workshop.killServer(dataDir);
    stranger = await Stranger.listen({ path: join(dataDir, 'postgres', '.s.PGSQL.5432') }, greetings);
    const { told: messages } = stranger;
    // The pool may not know yet that the connections to the server are lost.
    while (messages.length < greetings.length) {
      await expect(dataSource.query('SELECT 1')).rejects.toThrow();
    }
    await waitFor('the attempts to bring it back', () => logged.some((line) => /no_such_setting/.test(line)));
    // They ask only a server that its pid file names.
    expect(messages).toHaveLength(greetings.length);
    const told = messages.join('\n');
    const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
    expect(told).not.toContain(password);
    expect(told).not.toContain(createHash('md5').update(`${password}fairlead`).digest('hex'));
    for (const message of messages) expect(message).toMatch(/^$|^p\0{3}.SCRAM-SHA-256\0\0{3}.n,,n=\*,r=/);
    expect(logged.join('\n')).not.toContain(password);

    writeFileSync(configuration, usable);
    const back = await waitFor('the server', () => dataSource.query('TABLE kept').catch(() => undefined));
    expect(back).toEqual([{ answer: 42 }]);
    await opened.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it('that refuses every connection does not keep a new server from the place', async () => {
    const dataDir = await workshop.keptDataDir();
    const path = join(dataDir, 'postgres', '.s.PGSQL.5432');
    stranger = await Stranger.listen({ path }, [GREETINGS['asks for the password in clear text']]);
    const database = await EmbeddedPostgres.open({ dataDir });
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(stranger.told).toEqual([]);
    await database.close();
  });
});
