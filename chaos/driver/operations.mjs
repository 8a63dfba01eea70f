// What a client may ask for. Each takes the client and returns a request for the recorder, and how to send it.

/** Parts of a hundred. */
export const MIX = { create: 35, patch: 20, delete: 5, turns: 25, shares: 5, batch: 5, get: 5 };

const MOST_IN_BATCH = 8;

const namesOf = (token) => ({ first_name: token, last_name: token });

export const OPERATIONS = {
  create: (client) => {
    const token = client.newToken();
    // A duplicate of a record with an e-mail is refused, and one without is stored.
    const fields = client.random.chance(0.5) ? { email: `${token}@load.test` } : {};
    const json = { fields: { ...namesOf(token), ...fields } };
    return { request: { kind: 'create', token }, send: { method: 'POST', path: '/contacts', json } };
  },
  patch: (client) => {
    const token = client.newToken();
    const record = client.anyRecord();
    return {
      request: { kind: 'patch', token, record },
      send: { method: 'PATCH', path: `/contacts/${record.id}`, json: { fields: namesOf(token) } },
    };
  },
  delete: (client) => {
    const record = client.anyRecord();
    return {
      request: { kind: 'delete', record },
      send: { method: 'DELETE', path: `/contacts/${record.id}` },
    };
  },
  get: (client) => {
    const record = client.anyRecord();
    return { request: { kind: 'get', record }, send: { method: 'GET', path: `/contacts/${record.id}` } };
  },
  turns: (client) => dispatch(client, 'turns'),
  shares: (client) => dispatch(client, 'shares'),
  batch: (client) => {
    const records = [...new Set(Array.from({ length: MOST_IN_BATCH }, () => client.anyRecord()))];
    const json = { router_id: client.routers.turns, object_ids: records.map(({ id }) => id) };
    return {
      request: {
        kind: 'batch',
        items: records.map((record) => ({ kind: 'dispatch', router: 'turns', record })),
      },
      send: { method: 'POST', path: '/dispatch/batch', json },
    };
  },
};

function dispatch(client, router) {
  const record = client.anyRecord();
  const json = { router_id: client.routers[router], object_id: record.id };
  return {
    request: { kind: 'dispatch', router, record },
    send: { method: 'POST', path: '/dispatch/router', json },
  };
}

/** Draws an operation by its part of the mix. */
export function drawOperation(random, mix) {
  let left = random.below(Object.values(mix).reduce((sum, part) => sum + part, 0));
  for (const [name, part] of Object.entries(mix)) {
    left -= part;
    if (left < 0) return name;
  }
  throw new Error('The mix is empty');
}
