// The account that all scenarios use: users who are always available, and a router of each model.
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { ask } from '../driver/ask.mjs';
import { ENVIRONMENT } from './environment.mjs';
import { ServiceProcess, command } from './programs.mjs';

/** Of the account, where there is one only. */
export const SLUG = 'chaos';

/** The routers by what they prove. `weights` are the shares of the users, in proportion. */
export const ROUTERS = {
  turns: {
    name: 'Turns',
    model: 'round robin',
    reason: 'round_robin',
    weights: { ada: 1, bob: 1, cyd: 1, dan: 1, eve: 1 },
  },
  shares: {
    name: 'Shares',
    model: 'percentage',
    reason: 'percentage',
    weights: { ada: 40, bob: 30, cyd: 20, dan: 10 },
  },
};

export const emailOf = (name) => `${name}@chaos.test`;

function router({ name, model, weights }) {
  const isPercentage = model === 'percentage';
  return {
    name,
    object_type: 'contacts',
    published: true,
    settings: { overwrite: true, distribution_model: model },
    users: Object.entries(weights).map(([user, weight]) => ({
      email: emailOf(user),
      ...(isPercentage ? { percentage: weight } : {}),
    })),
  };
}

/** A configuration file. JSON is YAML. */
function configuration(slug) {
  const users = Object.keys(ROUTERS.turns.weights).map((name) => ({ email: emailOf(name) }));
  const routers = Object.values(ROUTERS).map(router);
  return JSON.stringify({ accounts: [{ slug, name: slug, users, routers }] });
}

/**
 * Migrates the database, applies the configuration, creates an API client, and stops.
 * @param env where the database is
 * @param options.folder in which a file may be written; `root` of another release; `slug` of the account
 * @returns { slug, token, routers }: a token that every process accepts, and the ids of the routers
 */
export async function prepareAccount(leftovers, env, { folder, root, slug = SLUG }) {
  const file = join(folder, 'account.yaml');
  writeFileSync(file, configuration(slug));
  const all = { ...ENVIRONMENT, ...env, MIGRATE_ON_START: 'true', APPLY_FILE: file };
  const service = await new ServiceProcess(leftovers, all, root).listening();
  const args = ['client', 'create', '--account', slug, '--name', slug, '--json'];
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
    slug,
    token,
    routers: Object.fromEntries(Object.entries(ROUTERS).map(([key, { name }]) => [key, ids.get(name)])),
  };
}
