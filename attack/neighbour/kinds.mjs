// What an account may do to its neighbours: each kind makes the nth request of one of many clients.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARING_ROUTERS, largeConfiguration } from '../service/configuration.mjs';
import { request } from '../wire/request.mjs';

/** Users of the configuration that is applied beside dispatches. */
const MANY_USERS = 4_000;

/** @returns { name, next, beside }: `beside` is a promise's maker, for what runs as long as the clients do */
export function* kinds({ attacker: { token }, routers, objects, cli, dataDir }, records) {
  const get = (path) => request('GET', path, { token });
  const post = (path, body) => request('POST', path, { token, body });
  const object = (n) => objects[(n * 7_919) % objects.length];
  const first = get('/contacts?limit=1');
  const last = get(`/contacts?limit=1&offset=${records - 1}`);
  const page = get(`/contacts?limit=100&offset=${Math.floor(records / 2)}`);
  const sharing = (n) =>
    post('/dispatch/router', { router_id: routers[`Shared ${n % SHARING_ROUTERS}`], object_id: object(n) });
  const one = (n) => post('/dispatch/router', { router_id: routers.Inbound, object_id: object(n) });
  const patch = (n) =>
    request('PATCH', `/contacts/${objects[0]}`, { token, body: { fields: { first_name: `Changed ${n}` } } });
  const simulate = (n) => post('/dispatch/simulate', { router_id: routers.Rules, object_id: object(n) });
  const batch = (n) =>
    post('/dispatch/batch', {
      router_id: routers[`Shared ${n % SHARING_ROUTERS}`],
      object_ids: Array.from({ length: 100 }, (_, index) => object(n * 100 + index)),
    });

  yield { name: 'lists with limit=1', next: () => first };
  yield { name: 'lists with the last offset', next: () => last, isQuick: true };
  yield { name: 'lists of 100 in the middle', next: () => page };
  yield { name: 'PATCHes of one record', next: patch };
  yield { name: 'dispatches by one router', next: one };
  yield { name: `dispatches by ${SHARING_ROUTERS} routers sharing users with limits`, next: sharing };
  yield { name: 'batches of 100', next: batch };
  yield { name: 'simulations with 200 rules', next: simulate };
  const mixed = [() => first, () => last, () => page, patch, sharing, simulate];
  yield { name: 'all of these but batches', next: (n) => mixed[n % mixed.length](n), isQuick: true };
  yield {
    name: `dispatches by ${SHARING_ROUTERS} routers beside apply of ${MANY_USERS} users`,
    next: sharing,
    beside: () => {
      const file = join(dataDir, 'large.yaml');
      writeFileSync(file, largeConfiguration(MANY_USERS));
      return cli('apply', file);
    },
  };
}
