// What is measured, and how each server is asked for it.

export const ROUTERS = 200;
export const USERS = 100;

const BASELINES = ['node:http', 'Express', 'PostgREST'];
const OWN = 'Fairlead';
const ALL = [OWN, ...BASELINES];

/** POST of the service and of the baseline that dispatches are compared with. */
const WITH_BARE = [OWN, 'node:http'];

/**
 * `base`: the operation of the service, with as many clients, by whose rate the rate is divided.
 */
export const OPERATIONS = [
  { name: 'GET', clients: 32, servers: ALL },
  { name: 'list 100', clients: 32, servers: ALL },
  { name: 'POST', clients: 32, servers: ALL },
  { name: 'PATCH', clients: 32, servers: ALL },
  { name: 'list 100 at 90 %', clients: 4, servers: [OWN] },
  { name: 'log, all', clients: 4, servers: [OWN] },
  { name: 'log, busy router and user', clients: 4, servers: [OWN] },
  { name: 'POST', clients: 64, servers: WITH_BARE },
  { name: 'dispatch, 1 router', clients: 64, servers: [OWN], base: 'POST' },
  { name: 'dispatch, 16 routers', clients: 64, servers: [OWN], base: 'POST' },
  { name: 'dispatch, 200 routers', clients: 64, servers: [OWN], base: 'POST' },
  { name: 'POST', clients: 1, servers: WITH_BARE },
  { name: 'dispatch, 1 router', clients: 1, servers: [OWN], base: 'POST' },
];

const NEW = (n) => ({ fields: { first_name: `Bench ${n}`, country: 'US' } });
const CHANGE = (n) => ({ fields: { city: `Paris ${n}` } });
const spread = (list, n) => list[(n * 7919) % list.length];

const dispatch =
  (routers) =>
  ({ objects, routers: ids }) => ({
    path: '/dispatch/router',
    bodies: (n) => JSON.stringify({ router_id: ids[n % routers], object_id: spread(objects, n) }),
  });

const FAIRLEAD = {
  GET: ({ objects }) => ({ method: 'GET', path: (n) => `/contacts/${spread(objects, n)}` }),
  'list 100': () => ({ method: 'GET', path: '/contacts?limit=100' }),
  'list 100 at 90 %': ({ size }) => ({
    method: 'GET',
    path: `/contacts?limit=100&offset=${Math.floor(size * 0.9)}`,
  }),
  POST: () => ({ path: '/contacts', bodies: (n) => JSON.stringify(NEW(n)) }),
  PATCH: ({ objects }) => ({
    method: 'PATCH',
    path: (n) => `/contacts/${spread(objects, n)}`,
    bodies: (n) => JSON.stringify(CHANGE(n)),
  }),
  'log, all': () => ({ method: 'GET', path: '/assignments?limit=10' }),
  'log, busy router and user': ({ routers }) => ({
    method: 'GET',
    path: (n) => `/assignments?limit=10&router_id=${routers[0]}&user=user${2 * (n % (USERS / 2))}@bench.test`,
  }),
  'dispatch, 1 router': dispatch(1),
  'dispatch, 16 routers': dispatch(16),
  'dispatch, 200 routers': dispatch(200),
};

const BASELINE = {
  GET: ({ id, objects }) => ({ method: 'GET', path: (n) => `/${id}/contacts/${spread(objects, n)}` }),
  'list 100': ({ id }) => ({ method: 'GET', path: `/${id}/contacts` }),
  POST: ({ id }) => ({ path: `/${id}/contacts`, bodies: (n) => JSON.stringify(NEW(n)) }),
  PATCH: ({ id, objects }) => ({
    method: 'PATCH',
    path: (n) => `/${id}/contacts/${spread(objects, n)}`,
    bodies: (n) => JSON.stringify(CHANGE(n)),
  }),
};

const SHOWN =
  'select=id,created_at,updated_at,archived_at,' +
  ['first_name', 'last_name', 'email', 'contact_owner', 'external_id']
    .map((name) => `${name}:fields-%3E%3E${name}`)
    .join(',');

/** PostgREST makes no ids, and replaces a column whole. */
const POSTGREST = {
  GET: ({ id, objects }) => ({
    method: 'GET',
    path: (n) => `/records?account_id=eq.${id}&object_type=eq.contacts&id=eq.${spread(objects, n)}&${SHOWN}`,
  }),
  'list 100': ({ id }) => ({
    method: 'GET',
    path: `/records?account_id=eq.${id}&object_type=eq.contacts&archived_at=is.null&order=id&limit=100&${SHOWN}`,
  }),
  POST: ({ id }) => ({
    path: `/records?${SHOWN}`,
    headers: { Prefer: 'return=representation' },
    bodies: (n) => {
      const now = new Date().toISOString();
      const row = { account_id: id, object_type: 'contacts', id: newId(), created_at: now, updated_at: now };
      return JSON.stringify({ ...row, ...NEW(n) });
    },
  }),
  PATCH: ({ id, objects }) => ({
    method: 'PATCH',
    path: (n) => `/records?account_id=eq.${id}&object_type=eq.contacts&id=eq.${spread(objects, n)}&${SHOWN}`,
    headers: { Prefer: 'return=representation' },
    bodies: (n) => JSON.stringify({ ...CHANGE(n), updated_at: new Date().toISOString() }),
  }),
};

/** A new id in the order of time. */
function newId() {
  const hex = Date.now().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

const BY_SERVER = {
  Fairlead: FAIRLEAD,
  'node:http': BASELINE,
  Express: BASELINE,
  PostgREST: POSTGREST,
};

/** Whether a server is the service, which wants a token. */
export const isOwn = (server) => server === OWN;

/** @returns what `measure` takes of a request, but for the URL */
export const requestTo = (server, operation, account) => BY_SERVER[server][operation](account);
