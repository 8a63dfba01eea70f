// Sets up the account in a new database.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'node:http';
import { ask } from '../driver/ask.mjs';
import { ROUTERS, SLUG, configuration } from './account.mjs';
import { command } from './command.mjs';
import { ENVIRONMENT } from './environment.mjs';
import { ServiceProcess } from './service-process.mjs';

/**
 * Migrates the database, applies the configuration, creates an API client, and stops.
 * @param env where the database is
 * @param options.folder in which a file may be written; `root` of another release
 * @returns { token, routers }: a token that every process accepts, and the ids of the routers
 */
export async function prepareAccount(leftovers, env, { folder, root }) {
  const file = join(folder, 'account.yaml');
  writeFileSync(file, configuration());
  const all = { ...ENVIRONMENT, ...env, MIGRATE_ON_START: 'true', APPLY_FILE: file };
  const service = await ServiceProcess.start(leftovers, all, { root });
  const args = ['client', 'create', '--account', SLUG, '--name', SLUG, '--json'];
  const credentials = JSON.parse(await command(leftovers, all, { args, root }));
  const { client_id, client_secret } = credentials;
  const agent = new Agent();
  const send = async (path, options) => {
    const { status, body, error } = await ask(agent, `${service.url}${path}`, options);
    if (status !== 200) throw new Error(`${path}: ${error ?? status} ${JSON.stringify(body)}`);
    return body;
  };
  const json = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token: token } = await send('/oauth2/token', { method: 'POST', json });
  const { data } = await send('/routers?limit=100', { token });
  agent.destroy();
  const { code } = await service.stop();
  if (code !== 0) throw new Error(`The service ended with code ${code}`);
  const ids = new Map(data.map(({ name, id }) => [name, id]));
  return {
    token,
    routers: Object.fromEntries(Object.entries(ROUTERS).map(([key, { name }]) => [key, ids.get(name)])),
  };
}
