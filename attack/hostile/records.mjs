// The largest records that there can be, and lists of them.
import { request } from '../wire/request.mjs';
import { LONG_FIELDS, TEXT_FIELDS } from '../service/configuration.mjs';
import { fatFields } from '../service/prepare.mjs';

export function* records({ attacker: { token }, fat, routers }) {
  // A list counts for its rows, and a batch for its objects.
  const of = (name, make) => ({ group: 'H1', name, make, countsItems: true });
  const get = (path) => request('GET', path, { token });
  const [first] = fat;
  const all = [...TEXT_FIELDS.slice(0, 3), ...LONG_FIELDS].join(',');
  yield of('create a fat record', () =>
    request('POST', '/contacts', { token, body: { fields: fatFields(0) } }),
  );
  yield of('create a fat record, br', () =>
    request('POST', '/contacts', { token, body: { fields: fatFields(0) }, encoding: 'br' }),
  );
  yield of('PATCH of a fat record', () =>
    request('PATCH', `/contacts/${first}`, { token, body: { fields: { first_name: 'Other' } } }),
  );
  yield of('GET of a fat record', () => get(`/contacts/${first}`));
  yield of('GET of a fat record, all fields', () => get(`/contacts/${first}?properties=${all}`));
  yield of('list of fat records', () => get('/contacts?limit=100'));
  yield of('list of fat records, all text fields', () =>
    get(`/contacts?limit=100&properties=${TEXT_FIELDS.join(',')}`),
  );
  yield of('list of fat records, all fields', () => get(`/contacts?limit=100&properties=${all}`));
  yield of('list with an offset, all fields', () => get(`/contacts?limit=100&offset=1&properties=${all}`));
  yield of('simulate with a fat record', () =>
    request('POST', '/dispatch/simulate', { token, body: { router_id: routers.Rules, object_id: first } }),
  );
  yield of('simulate with fat fields', () =>
    request('POST', '/dispatch/simulate', {
      token,
      body: { router_id: routers.Rules, fields: fatFields(1) },
    }),
  );
  yield of('dispatch of a fat record', () =>
    request('POST', '/dispatch/router', { token, body: { router_id: routers.Rules, object_id: first } }),
  );
  yield of('batch of one fat record 100 times', () =>
    request('POST', '/dispatch/batch', {
      token,
      body: { router_id: routers.Rules, object_ids: Array(100).fill(first) },
    }),
  );
  yield of('batch of fat records', () =>
    request('POST', '/dispatch/batch', {
      token,
      body: { router_id: routers.Inbound, object_ids: fat.slice(0, 100) },
    }),
  );
}
