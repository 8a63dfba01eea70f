// A service of its own: indexes of the whole database are counted.
import { ApplyService, describePlan, parseConfigurationFile } from '../../../src/management/index.js';
import { RecordIndexesRepository } from '../../../src/records/indexes/record-indexes.repository.js';
import type { ApiClient } from '../../support/api-client.js';
import { expectBadField, expectInvalid } from '../../support/error-object.js';
import { indexesDone, wrongKeys } from '../../support/database/index-keys.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const FIELDS = ['plan', 'score', 'seen'];
const file = (slug: string, indexed: string): string => `accounts:
  - slug: ${slug}
    users: [{ email: ada@acme.test }]
    fields:
      - { object_type: contacts, internal_name: plan, type: string${indexed} }
      - { object_type: contacts, internal_name: score, type: number${indexed} }
      - { object_type: contacts, internal_name: seen, type: datetime${indexed} }
      - { object_type: contacts, internal_name: notice, type: datetime }
      - { object_type: contacts, internal_name: notes, type: string, long: true }
`;
const INDEXED = ', indexed: true';
const SCORES = ['-10.5', '-2', '0', '0.05', '0.5', '9', '10', '10', '10', '100', '1e3', undefined, undefined];

let service: TestService;
let api: ApiClient;
let other: ApiClient;
let ids: string[];

const where = (field: string, operator: string, value?: unknown): object => ({
  groups: [{ conditions: [{ field, operator, value }] }],
});
const search = async (client: ApiClient, body: object): Promise<any> => {
  const answer = await client.post('/contacts/search', {
    properties: ['plan', 'score'],
    limit: 100,
    ...body,
  });
  expect(answer.status).toBe(200);
  return answer.body;
};
const found = async (client: ApiClient, body: object): Promise<string[]> =>
  (await search(client, body)).data.map(({ id }: any) => id);

/** All ids in an order, page by page. */
async function sorted(sort: string, filter?: object): Promise<string[]> {
  const all: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page: any = await search(api, { sort: [sort], limit: 2, after: after ?? null, filter });
    all.push(...page.data.map(({ id }: any) => id));
    after = page.pagination.next;
  }
  return all;
}
const SORTS = ['score', '-score', 'seen', '-seen', 'updated_at', '-updated_at'];

beforeAll(async () => {
  service = await TestService.start();
  await service.apply(file('acme', ''));
  await service.apply(file('beta', INDEXED));
  const scopes = ['manage', 'records:read', 'records:write'] as const;
  [api, other] = [await service.login('acme', [...scopes]), await service.login('beta', [...scopes])];
  ids = [];
  for (const [index, score] of SCORES.entries()) {
    const seen = index % 3 === 0 ? undefined : `2026-0${1 + (index % 5)}-01`;
    const fields = {
      last_name: 'Byron',
      plan: index % 2 === 0 ? 'Gold Ä' : 'gold',
      score: score && Number(score),
      seen,
    };
    const { body, status } = await api.post('/contacts', { fields });
    expect(status).toBe(201);
    ids.push(body.id);
  }
});
afterAll(() => service.stop());

const fieldId = async (client: ApiClient, name: string): Promise<string> =>
  (await client.get('/fields?limit=100&object_type=contacts')).body.data.find(
    ({ internal_name }: any) => internal_name === name,
  ).id;

it('An index changes nothing of what searches find, in which order and on which pages [contract 7]', async () => {
  const before = await Promise.all(SORTS.map((sort) => sorted(sort)));
  const filters = [
    where('plan', 'eq', 'GOLD'),
    where('plan', 'starts_with', 'gold'),
    where('plan', 'in', ['gold', 'silver', 'gold ä']),
    where('score', 'between', [0, 10]),
    where('score', 'is_empty'),
    where('seen', 'lt', '2026-03-01'),
    { groups: [{ conditions: [{ field: 'score', operator: 'eq', value: 10 }] }, { conditions: [{ field: 'score', operator: 'lt', value: 0 }] }] },
    { groups: [{ conditions: [{ field: 'score', operator: 'gt', value: -3 }, { field: 'score', operator: 'lte', value: 9 }] }] },
  ]; // prettier-ignore
  const counted = { count: true, sort: ['score'] };
  const hits = await Promise.all(filters.map((filter) => search(api, { filter, ...counted })));
  const id = await fieldId(api, 'plan');
  const changed = await api.patch(`/fields/${id}`, { indexed: true });
  expect([changed.status, changed.body.indexed]).toEqual([200, true]);
  await service.apply(file('acme', INDEXED));
  await indexesDone(service);
  const [{ ready }] = await sql<any>(
    service,
    'SELECT count(*)::int AS ready FROM record_indexes i JOIN accounts a ON a.id = i.account_id WHERE is_ready AND slug = $1',
    ['acme'],
  );
  // That of the last change too, which the searches have asked for.
  expect(ready).toBe(FIELDS.length + 1);
  expect(await Promise.all(SORTS.map((sort) => sorted(sort)))).toEqual(before);
  expect(await Promise.all(filters.map((filter) => search(api, { filter, ...counted })))).toEqual(hits);
  for (const [index, filter] of filters.entries()) {
    const own = await sorted('score', filter);
    expect(own).toEqual(hits[index].data.map((each: any) => each.id));
  }
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
});

it.each([
  ['plan', ['eq', 'gold'], ['is_empty', undefined]],
  ['plan', ['starts_with', 'gold'], ['is_empty', undefined]],
  ['score', ['gt', 5], ['is_empty', undefined]],
  ['score', ['between', [1, 2]], ['is_empty', undefined]],
  ['seen', ['in', ['2026-01-01', '2026-02-01']], ['is_empty', undefined]],
] as [string, ...[string, unknown][]][])(
  'Conditions on an indexed field that contradict each other find nothing: %s %j %j [contract 7]',
  async (field, ...conditions) => {
    const group = { conditions: conditions.map(([operator, value]) => ({ field, operator, value })) };
    for (const sort of [[], [field], [`-${field}`], ['last_name']])
      for (const groups of [[group], [group, group]])
        expect(await search(api, { filter: { groups }, sort, count: true })).toMatchObject({
          data: [],
          pagination: { count: 0 },
        });
    const empty = { conditions: [{ field, operator: 'is_empty' }] };
    expect(await found(api, { filter: { groups: [group, empty] } })).toEqual(
      await found(api, { filter: { groups: [empty] } }),
    );
  },
);

it('Leap days have their place among dates, with and without an index [contract 7]', async () => {
  const dates = ['2024-02-28', '2024-02-29', '2024-03-01'];
  const made: string[] = [];
  for (const seen of [...dates].reverse())
    made.unshift(
      (await api.post('/contacts', { fields: { last_name: 'Leap', seen, notice: seen } })).body.id,
    );
  const leap = where('last_name', 'eq', 'leap');
  for (const field of ['seen', 'notice']) {
    expect(await sorted(field, leap)).toEqual(made);
    expect(await sorted(`-${field}`, leap)).toEqual([...made].reverse());
  }
  for (const id of made) await api.delete(`/contacts/${id}`);
});

it('Every write is found by an index as soon as it is answered [contract 7]', async () => {
  const gold = where('plan', 'eq', 'platinum');
  const { body: made } = await api.post('/contacts', {
    fields: { last_name: 'New', plan: 'Platinum', score: 7 },
  });
  expect(await found(api, { filter: gold })).toEqual([made.id]);
  expect((await found(api, { sort: ['-updated_at'] }))[0]).toBe(made.id);
  await api.patch(`/contacts/${ids[0]}`, { fields: { plan: 'PLATINUM ' } });
  expect(await found(api, { filter: gold })).toEqual([ids[0], made.id]);
  expect((await found(api, { sort: ['-updated_at'] })).slice(0, 2)).toEqual([ids[0], made.id]);
  const { archived } = (await api.delete(`/contacts/${ids[0]}`)).body;
  expect(await found(api, { filter: gold })).toEqual([made.id]);
  const changed = { archived: true, filter: where('updated_at', 'gte', archived), count: true };
  for (const sort of [[], ['updated_at'], ['-updated_at', 'plan']])
    expect(await search(api, { ...changed, sort })).toMatchObject({
      data: [{ id: ids[0], updated_at: archived, archived }],
      pagination: { count: 1 },
    });
  expect((await found(api, { sort: ['-updated_at'], archived: true })).slice(0, 2)).toEqual([
    ids[0],
    made.id,
  ]);
  expect(await found(api, { ...changed, archived: false })).toEqual([]);
  expect(await found(api, { filter: gold, archived: true })).toEqual([ids[0], made.id]);
  await api.post(`/contacts/${ids[0]}/restore`, {});
  expect(await found(api, { filter: gold })).toEqual([ids[0], made.id]);
  await api.patch(`/contacts/${made.id}`, { fields: { plan: '' } });
  expect(await found(api, { filter: gold })).toEqual([ids[0]]);
  expect(await found(api, { filter: where('plan', 'is_empty') })).toEqual([made.id]);
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
});

it("Another account's records, field and index are its own [contract 7]", async () => {
  const { body: theirs } = await other.post('/contacts', {
    fields: { last_name: 'Beta', plan: 'gold', score: 9 },
  });
  expect(await found(other, { filter: where('plan', 'eq', 'gold') })).toEqual([theirs.id]);
  expect(await found(other, { sort: ['-score'] })).toEqual([theirs.id]);
  expect(await found(api, { filter: where('plan', 'eq', 'gold') })).not.toContain(theirs.id);
  const id = await fieldId(api, 'plan');
  expect((await other.patch(`/fields/${id}`, { indexed: false })).status).toBe(404);
  expect((await api.get(`/fields/${id}`)).body.indexed).toBe(true);
});

it('An index goes when it is switched off or the field is archived, and comes back with it [contract 6, contract 7]', async () => {
  const gold = await found(api, { filter: where('plan', 'eq', 'gold') });
  const id = await fieldId(api, 'plan');
  expect((await api.patch(`/fields/${id}`, { indexed: false })).body.indexed).toBe(false);
  expect((await api.delete(`/fields/${await fieldId(api, 'seen')}`)).status).toBe(200);
  const before = await indexesDone(service);
  expect(await found(api, { filter: where('plan', 'eq', 'gold') })).toEqual(gold);
  await api.patch(`/contacts/${ids[1]}`, { fields: { plan: 'silver' } });
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
  await api.patch(`/fields/${id}`, { indexed: true });
  const back = await api.post('/fields', {
    object_type: 'contacts',
    internal_name: 'seen',
    type: 'datetime',
  });
  expect([back.status, back.body.indexed]).toEqual([201, true]);
  expect(await indexesDone(service)).toBe(before + 2);
  expect(await found(api, { filter: where('plan', 'eq', 'silver') })).toEqual([ids[1]]);
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
});

it.each([
  ['a unique key', 'email'],
  ['the owner', 'contact_owner'],
  ['a long field', 'notes'],
])('%s cannot be indexed, and a standard field can [contract 6]', async (_, name) => {
  const refused = await api.patch(`/fields/${await fieldId(api, name)}`, { indexed: true });
  expectBadField(refused, 'indexed');
  const id = await fieldId(api, 'job_title');
  expect((await api.patch(`/fields/${id}`, { indexed: true })).body.indexed).toBe(true);
  expect((await api.patch(`/fields/${id}`, { indexed: false })).body.indexed).toBe(false);
});

it('At most 20 fields of an object type of an account have an index, in the file and in requests [contract 5, contract 6]', async () => {
  const fields = (count: number, more: object = {}): object[] =>
    Array.from({ length: count }, (_, n) => ({ object_type: 'deals', internal_name: `f${n}`, type: 'string', indexed: true, ...more })); // prettier-ignore
  const apply = (list: readonly object[]): Promise<void> =>
    service.apply(JSON.stringify({ accounts: [{ slug: 'many', fields: list }] }));
  const tooMany = (name: string): string =>
    `deals.${name} cannot have an index: at most 20 fields of deals can`;
  await expect(apply(fields(22))).rejects.toMatchObject({
    errors: [20, 21].map((n) => ({ field: `accounts[0].fields[${n}].indexed`, message: tooMany(`f${n}`) })),
  });
  await apply(fields(20));
  // Those of other types, and of other accounts, are others.
  await apply([{ object_type: 'tickets', internal_name: 'f0', type: 'string', indexed: true }]);
  const manager = await service.login('many', ['manage']);
  const more = { object_type: 'deals', internal_name: 'more', type: 'string' };
  const refused = await manager.post('/fields', { ...more, indexed: true });
  expectInvalid(refused, ['indexed', tooMany('more')]);
  const { body: field } = await manager.post('/fields', more);
  expectInvalid(await manager.patch(`/fields/${field.id}`, { indexed: true }), ['indexed', tooMany('more')]);
  const { body: list } = await manager.get('/fields?object_type=deals&limit=100');
  const first = list.data.find(({ internal_name }: any) => internal_name === 'f0');
  expect((await manager.patch(`/fields/${first.id}`, { label: 'First', indexed: true })).status).toBe(200);
  // One switched off, or archived, makes room for another, also in one file.
  await apply([...fields(1, { indexed: false }), { ...more, indexed: true }]);
  expectInvalid(await manager.patch(`/fields/${first.id}`, { indexed: true }), ['indexed', tooMany('f0')]);
  expect((await manager.delete(`/fields/${field.id}`)).status).toBe(200);
  expect((await manager.patch(`/fields/${first.id}`, { indexed: true })).body.indexed).toBe(true);
  expectInvalid(await manager.post('/fields', more), ['indexed', tooMany('more')]);
  expect((await manager.post('/fields', { ...more, indexed: false })).status).toBe(201);
});

it('The file switches indexes, the plan shows it, and the export has it [contract 5]', async () => {
  const apply = service.app.get(ApplyService, { strict: false });
  const plan = async (text: string): Promise<string[]> => {
    const result: any = await apply.apply(parseConfigurationFile(text), { dryRun: true });
    return describePlan(result.plans ?? result);
  };
  await service.apply(file('gamma', ''));
  const lines = await plan(file('gamma', INDEXED));
  expect(lines).toEqual(
    FIELDS.flatMap((name) => [`gamma: update field contacts.${name}`, '  indexed: none -> true']),
  );
  await service.apply(file('gamma', INDEXED));
  await service.apply(
    `accounts: [{ slug: gamma, fields: [{ object_type: deals, internal_name: amount, indexed: true }] }]`,
  );
  const exported = await service.app.get(ApplyService, { strict: false }).export('gamma');
  const fields = (exported.accounts[0] as any).fields;
  expect(fields.filter(({ indexed }: any) => indexed).map((each: any) => each.internal_name)).toEqual([
    ...FIELDS,
    'amount',
  ]);
  expect(await plan(JSON.stringify(exported))).toEqual(['gamma: no changes']);
  expect(await plan(file('gamma', ', indexed: false'))).toContain('  indexed: true -> none');
});

it('The index of the last change goes when no search could use it for a week [contract 7]', async () => {
  const indexes = service.app.get(RecordIndexesRepository, { strict: false });
  const { accountId } = await service.account('acme');
  const days = async (ago: number): Promise<void> => {
    await sql(
      service,
      'UPDATE record_indexes SET used_on = CURRENT_DATE - $2::int WHERE account_id = $1 AND used_on IS NOT NULL',
      [accountId, ago],
    );
  };
  const ready = async (): Promise<number> => {
    await indexesDone(service);
    const rows = await sql(
      service,
      "SELECT FROM record_indexes WHERE account_id = $1 AND kind = 'changed' AND is_ready",
      [accountId],
    );
    return rows.length;
  };
  const before = await sorted('-updated_at');
  await days(7);
  await indexes.dropUnused();
  expect(await ready()).toBe(1);
  await days(30);
  await indexes.askUpdatedAt({ accountId, objectType: 'contacts' });
  await indexes.dropUnused();
  expect(await ready()).toBe(1);
  await days(8);
  await indexes.dropUnused();
  expect(await ready()).toBe(0);
  expect(await sorted('-updated_at')).toEqual(before);
  await indexes.askUpdatedAt({ accountId, objectType: 'contacts' });
  expect(await ready()).toBe(1);
  expect(await sorted('-updated_at')).toEqual(before);
  expect(await wrongKeys(service)).toEqual({ missing: 0, stale: 0 });
});
