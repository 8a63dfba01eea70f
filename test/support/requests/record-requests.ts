import { mail } from '../routing-account.js';
import { ALL, LastAnswer, request, type MeasuredPlace, type MeasuredRequest } from './measured-request.js';

/** Every kind of request for one record, in an order in which each can be answered. */
export function* recordRequests({ account: { api }, key }: MeasuredPlace): Generator<MeasuredRequest> {
  const last = new LastAnswer();
  const contact = { fields: { email: `${key}@x.test`, external_id: key } };
  const company = { fields: { company_name: 'C', website_url: `${key}.test`, external_id: key } };
  const repeated = { headers: { 'Idempotency-Key': key } };
  yield request('POST', () => last.of(api.post('/contacts', contact)));
  const path = `/contacts/${last.body.id as string}`;
  yield request('POST, duplicate', () => api.post('/contacts', contact));
  yield request('POST, idempotent', () => api.post('/companies', company, repeated));
  yield request('POST, repeated', () => api.post('/companies', company, repeated));
  const referring = { fields: { first_name: 'R', company: { external_id: key } } };
  yield request('POST, reference', () => last.of(api.post('/contacts', referring)));
  yield request('GET, expand', () => api.get(`/contacts/${last.body.id as string}?expand=company`));
  yield request('GET', () => api.get(path));
  yield request('GET, properties', () => api.get(`${path}?properties=city,record_id`));
  yield request('GET, more', () => api.get(`${path}?properties=city,state,country,tier,plain,partner,phone`));
  for (const by of ['email', 'external_id']) {
    const named = `/contacts/${by === 'email' ? `${key}@x.test` : key}?id_property=${by}`;
    yield request(`GET by ${by}`, () => api.get(named));
    yield request(`PATCH by ${by}`, () => api.patch(named, { fields: { city: 'Rome' } }));
    yield request(`PUT by ${by}`, () => api.put(named, { fields: { city: 'Oslo' } }));
    yield request(`DELETE by ${by}`, () => api.delete(named));
    yield request('restore', () => api.post(`${path}/restore`));
    const fresh = `/contacts/${key}-${by}${by === 'email' ? '@x.test' : ''}?id_property=${by}`;
    yield request(`PUT of a new one by ${by}`, () => api.put(fresh, { fields: { first_name: 'New' } }));
  }
  yield request('PATCH', () => api.patch(path, { fields: { city: 'City 1', tier: 'Tier 5' } }));
  yield request('PATCH, If-Match', async () => {
    const headers = { 'If-Match': (await api.get(path)).headers.get('etag') ?? '' };
    return api.patch(path, { fields: { plain: 'P' } }, { headers });
  });
  yield request('PATCH of the owner', () => api.patch(path, { fields: { contact_owner: mail('u1') } }));
  yield request('history', () => api.get(`${path}/history`));
  yield request('history of a field', () => api.get(`${path}/history?field=city&limit=1`));
  yield request('DELETE', () => api.delete(path));
  yield request('DELETE, archived', () => api.delete(path));
  yield request('PATCH, archived', () => api.patch(path, contact));
  yield request('restore', () => api.post(`${path}/restore`));
}

/** Every kind of list and of search. */
export function* listRequests({
  account: { api },
  key,
  contacts,
}: MeasuredPlace): Generator<MeasuredRequest> {
  const last = new LastAnswer();
  for (const archived of ['', '&archived=true']) {
    const list = (query: string, rows: number): MeasuredRequest =>
      request(`list ${query}${archived}`, () => last.of(api.get(`/contacts?${query}${archived}`)), rows);
    yield list('limit=100', 100);
    yield list('limit=10&offset=20', 30);
    yield list('limit=10&properties=city,plain', 10);
    yield list('limit=1', 1);
    yield list(`limit=10&after=${last.body.pagination.next as string}`, 10);
  }
  yield request('list, expand', () => api.get('/contacts?limit=100&expand=company'), 100);
  const search = (body: object, rows = 10): MeasuredRequest =>
    request(
      `search ${JSON.stringify(body)}`,
      () => last.of(api.post('/contacts/search', { limit: 10, ...body })),
      rows,
    );
  const by = (field: string, operator: string, value: unknown): object => ({
    filter: { groups: [{ conditions: [{ field, operator, value }] }] },
  });
  yield search({ count: true });
  yield search({ after: last.body.pagination.next });
  for (const sort of ['create_date', '-create_date', 'id']) yield search({ sort: [sort] });
  yield search({ sort: ['-last_modified_date'] }, ALL);
  yield search(by('email', 'eq', `${key}@x.test`));
  yield search(by('email', 'in', ['C5@x.test', 'c7@x.test']));
  yield search(by('external_id', 'eq', key.toUpperCase()));
  const keys = ['email', 'external_id'].map((field) => ({
    conditions: [{ field, operator: 'eq', value: key }],
  }));
  yield search({ filter: { groups: keys }, count: true });
  yield search(by('id', 'in', contacts.slice(0, 10)));
  const owned = by('contact_owner', 'eq', mail('u3'));
  yield search(owned);
  yield search({ ...owned, sort: ['-create_date'] });
  yield search({ ...owned, count: true }, ALL);
  yield search(by('create_date', 'gte', '2100-01-01'));
  yield search(by('tier', 'eq', 'tier 7'));
  yield search(by('tier', 'in', ['tier 7', 'tier 8']), 1000);
  yield search(by('tier', 'starts_with', 'tier 77'), 1000);
  yield search(by('plain', 'contains', 'zzz'), ALL);
  yield search({ ...by('email', 'eq', 'c10@x.test'), archived: true }, ALL);
}

/** Every kind of batch of records. */
export function* batchRequests({
  account: { api },
  key,
  batch,
  contacts,
}: MeasuredPlace): Generator<MeasuredRequest> {
  const last = new LastAnswer();
  for (const count of [1, batch]) {
    const send = (name: string, inputs: readonly object[], more: object = {}): MeasuredRequest =>
      request(
        `batch of ${count}, ${name}`,
        () => last.of(api.post(`/contacts/batch/${/^\w+/.exec(name)![0]}`, { inputs, ...more })),
        count,
      );
    const names = Array.from({ length: count }, (_, n) => `${key}-${count}-${n}`);
    const emails = names.map((name) => `${name}@x.test`);
    const given = (ids: readonly string[], fields?: object): object[] =>
      ids.map((id) => ({ id, ...(fields === undefined ? {} : { fields }) }));
    const fields = names.map((external_id, n) => ({
      fields: { email: emails[n], external_id, contact_owner: mail('u2') },
    }));
    yield send('create', fields);
    const ids = (last.body.results as { record: { id: string } }[]).map(({ record }) => record.id);
    yield send('create, duplicates', fields);
    yield send(
      'create, references',
      names.map((_, n) => ({ fields: { first_name: 'R', company: { external_id: `${key}-no-${n}` } } })),
    );
    yield send('read', given(ids));
    yield send('read others', given(contacts.slice(0, count)));
    yield send('update', given(ids, { city: 'Rome' }));
    yield send('update owners', given(ids, { contact_owner: mail('u5') }));
    yield send('update others', given(contacts.slice(0, count), { state: key }));
    for (const [id_property, named] of [
      ['email', emails],
      ['external_id', names],
    ] as const) {
      yield send(`read by ${id_property}`, given(named), { id_property });
      yield send(`update by ${id_property}`, given(named, { city: id_property }), { id_property });
      const fresh = `new-${named[0]!}`;
      yield send(`upsert by ${id_property}`, given([...named.slice(1), fresh], { first_name: 'Up' }), {
        id_property,
      });
      yield send(`archive by ${id_property}`, given(named), { id_property });
      yield send('restore', given(ids));
    }
    yield send('archive at once', given(ids), { atomic: true });
    yield send('restore', given(ids));
  }
}
