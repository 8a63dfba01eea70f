// An account for random requests, which they may ruin: its ids, and some of another account.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { likeAttacker } from '../service/configuration.mjs';
import { kindOf } from '../openapi.mjs';
import { send } from '../service/prepare.mjs';

const MANAGED = ['/users', '/teams', '/fields', '/capacities', '/clients', '/routers'];

/** The fields of a record of each type. */
const RECORDS = {
  '/contacts': { first_name: 'Plain' },
  '/companies': { company_name: 'Plain' },
  '/deals': { deal_name: 'Plain', pipeline: 'default', deal_stage: 'new' },
  '/tickets': { ticket_name: 'Plain', pipeline: 'default', ticket_stage: 'new' },
};

/**
 * Creates an account as the attacker's.
 * @returns { attacker, ids }: a client of the account, and ids by kind. Those of clients are not its own, so
 *   that a random request does not revoke it.
 */
export async function prepareFuzz(context, seed) {
  const slug = `fuzz-${seed}`;
  const file = join(context.dataDir, `${slug}.yaml`);
  writeFileSync(file, likeAttacker(slug));
  await context.cli('apply', file);
  const attacker = await context.login(slug);
  const create = (path, body) => send(context, { method: 'POST', path, token: attacker.token, body });
  // A parameter such as `userId` or `object_id` names its kind.
  const ids = {};
  for (const [path, fields] of Object.entries(RECORDS)) {
    ids[kindOf(path)] = [(await create(path, { fields })).id, context.victimRecord];
  }
  ids.object = ids.contact;
  for (let n = 0; n < 3; n++) await create('/clients', { name: `Spare ${n}` });
  for (const collection of MANAGED) {
    const own = await idsOf(context, collection, attacker);
    const foreign = await idsOf(context, collection, context.victim);
    ids[kindOf(collection)] = [...own.filter((id) => id !== attacker.client_id), ...foreign.slice(0, 2)];
  }
  return { attacker, ids };
}

async function idsOf(context, collection, { token }) {
  const { data } = await send(context, { method: 'GET', path: `${collection}?limit=100`, token });
  return data.map(({ id }) => id);
}
