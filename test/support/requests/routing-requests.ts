import { mail } from '../routing-account.js';
import { ALL, LastAnswer, request, type MeasuredPlace, type MeasuredRequest } from './measured-request.js';

/** Every kind of dispatch and simulation. `people`: how many users a pool has. */
export async function* dispatchRequests(
  { account, key, batch, contacts }: MeasuredPlace,
  people: number,
): AsyncGenerator<MeasuredRequest> {
  const { api } = account;
  const [one = '', other = '', ...others] = contacts;
  const minuteAgo = new Date(Date.now() - 60_000).toISOString();
  for (const name of ['R', 'rare', 'load', 'ruled', 'matching']) {
    yield request(`dispatch ${name}`, () => account.dispatch(name, one), people);
    yield request(
      `dispatch batch ${name}`,
      () => account.batch(name, others.slice(0, Math.min(batch, 100))),
      people + batch,
    );
    for (const what of [
      { object_id: one },
      { object_id: one, at: minuteAgo },
      { fields: { city: 'City 1' } },
    ])
      yield request(
        `simulate ${name} ${Object.keys(what).join()}`,
        () => account.simulate(name, what),
        people,
      );
  }
  const body = { router_id: await account.routerId('R'), object_id: other };
  const headers = { 'Idempotency-Key': `dispatch-${key}` };
  yield request('dispatch, idempotent', () => api.post('/dispatch/router', body, { headers }), people);
  for (const owner of [mail('u9'), mail('u8')])
    yield request('PATCH of an owner', () =>
      api.patch(`/contacts/${other}`, { fields: { contact_owner: owner } }),
    );
  yield request('dispatch after a return', () => account.dispatch('R', others[0] ?? ''), people);
  yield request('dispatch of nothing', () => account.dispatch('R', key));
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (time: number): string => new Date(time).toISOString();

/** Every kind of page of the log, and of its numbers. `counts`: how many counts there are of its days. */
export async function* logRequests(
  { account, contacts }: MeasuredPlace,
  counts: number,
): AsyncGenerator<MeasuredRequest> {
  const { api } = account;
  const [main, rare] = [await account.routerId('R'), await account.routerId('rare')];
  const object = `object_id=${contacts[0] ?? ''}`;
  const user = `user=${mail('u4')}`;
  const last = new LastAnswer();
  // The log is of the last 80 days. An hour of a day is cut off at each end.
  const midnight = Math.floor(Date.now() / DAY) * DAY - 78 * DAY;
  const times = [`from=${at(midnight - HOUR)}`, `to=${at(midnight + DAY + HOUR)}`];
  for (const filters of [
    [],
    [`router_id=${main}`],
    [`router_id=${rare}`],
    [object],
    [user],
    [`router_id=${main}`, user],
    [`router_id=${main}`, object],
    [object, user],
    [`router_id=${main}`, object, user],
    ['reason=owner_present'],
    ['assigned=false'],
    ['assigned=true'],
    ['rule=Gold'],
    ['step=0', `router_id=${main}`],
    ['rule=Gold', user],
    ['rule=Gold', object],
    times,
    [...times, 'reason=owner_present'],
    [...times, `router_id=${main}`],
    [...times, user, 'rule=Gold'],
    [...times, object],
  ]) {
    const list = (query: string, rows: number): MeasuredRequest => {
      const path = `/assignments?${[query, ...filters].join('&')}`;
      return request(path, () => last.of(api.get(path)), rows);
    };
    yield list('limit=100', 100 + counts);
    yield list('limit=10&offset=20', 30 + counts);
    yield list('limit=1', 1 + counts);
    const next = last.body.pagination.next as string | null;
    if (next !== null) yield list(`limit=10&after=${next}`, 10 + counts);
    for (const by of ['user', 'rule', 'reason', 'day']) {
      const path = `/assignments/summary?${[`by=${by}`, ...filters].join('&')}`;
      yield request(path, () => api.get(path), counts);
    }
    if (filters.length === 0)
      yield request('one entry', () => api.get(`/assignments/${last.body.data[0].id as string}`));
  }
  for (const query of [times.join('&'), 'rule=All', `rule=All&${times.join('&')}`]) {
    const path = `/routers/${await account.routerId('ruled')}/fairness?${query}`;
    yield request(path, () => api.get(path), 1_000);
  }
  yield request('fairness', () => api.get(`/routers/${main}/fairness?${times.join('&')}`), 25_000);
}

/** Every kind of request that changes or reads the configuration. */
export async function* managementRequests({
  account,
  admin,
  key,
}: MeasuredPlace): AsyncGenerator<MeasuredRequest> {
  const last = new LastAnswer();
  const some = (name: string, send: MeasuredRequest['send'], rows = 100): MeasuredRequest =>
    request(name, send, rows);
  yield some('POST client', () => last.of(admin.post('/clients', { name: key, scope: 'records:read' })));
  const { client_id, client_secret } = last.body as Record<'client_id' | 'client_secret', string>;
  const anonymous = account.service.client();
  yield request('token', () => anonymous.post('/oauth2/token', { client_id, client_secret }));
  yield some('rotate', () => admin.post(`/clients/${last.body.id as string}/rotate`, { overlap_seconds: 5 }));
  const users = [{ email: mail('u1'), max: 5 }];
  const kinds: readonly [kind: string, values: object, changes: object][] = [
    ['users', { email: `${key}@acme.test` }, { name: 'N' }],
    ['teams', { name: key, members: [mail('u1')] }, { members: [mail('u2')] }],
    ['fields', { object_type: 'contacts', internal_name: `f_${key}`, type: 'enumeration', options: [{ internal_name: 'a' }, { internal_name: 'b' }] }, { label: 'L' }],
    ['capacities', { name: key, object_type: 'contacts', field: 'city', values: ['x'], users }, { values: ['y'] }],
    ['routers', { name: key, object_type: 'contacts', users: [{ email: mail('u1') }], settings: {} }, { settings: { overwrite: true } }],
  ]; // prettier-ignore
  for (const [kind, values, changes] of kinds) {
    yield some(`POST ${kind}`, () => last.of(admin.post(`/${kind}`, values)));
    const path = `/${kind}/${last.body.id as string}`;
    yield some(`GET ${kind}`, () => admin.get(`/${kind}?limit=100`), 400);
    yield some(`GET one of ${kind}`, () => admin.get(path));
    yield some(`PATCH ${kind}`, () => admin.patch(path, changes));
    if (kind === 'fields')
      yield some('PATCH options', () => admin.patch(path, { options: [{ internal_name: 'a' }] }), ALL);
    if (kind === 'routers') yield* versionRequests(path, admin);
    yield some(`DELETE ${kind}`, () => admin.delete(path), kind === 'fields' ? ALL : 400);
  }
  const router = await account.routerId('R');
  yield some('status of routers', () => account.api.get('/routers?limit=100&expand=status'), 1_000);
  yield some('status of a router', () => account.api.get(`/routers/${router}?expand=status`), 1_000);
  yield some('status', () => admin.get('/status'));
  yield some('users now', () => admin.get('/users?limit=100&expand=now'), 1_000);
  yield some('users of a router', () => admin.get(`/users?router_id=${router}`), 400);
  for (const query of ['', '&object=router', '&by=apply', '&from=2026-01-01'])
    yield some(`audit${query}`, () => admin.get(`/audit?limit=10${query}`));
}

function* versionRequests(path: string, admin: MeasuredPlace['admin']): Generator<MeasuredRequest> {
  const some = (name: string, send: MeasuredRequest['send']): MeasuredRequest => request(name, send, 100);
  yield some('publish', () => admin.post(`${path}/publish`, {}));
  yield some('draft', () => admin.patch(path, { settings: { overwrite: false } }));
  yield some('diff', () => admin.get(`${path}/diff`));
  yield some('DELETE draft', () => admin.delete(`${path}/draft`));
  yield some('versions', () => admin.get(`${path}/versions`));
  yield some('version', () => admin.get(`${path}/versions/1`));
  yield some('rollback', () => admin.post(`${path}/rollback`, { version: 1 }));
  yield some('unpublish', () => admin.post(`${path}/unpublish`, {}));
}
