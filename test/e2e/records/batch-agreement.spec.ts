import fc from 'fast-check';
import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { seedOf, storm } from '../../support/storm.js';
import { TestService } from '../../support/test-service.js';

type Json = Record<string, any>;

const ACTIONS = ['create', 'read', 'update', 'upsert', 'archive', 'restore'] as const;
type Action = (typeof ACTIONS)[number];

/**
 * A batch, in which `#0` stands for the id of the newest record of the account, and `#-1` for a stranger's.
 */
interface Batch {
  readonly action: Action;
  readonly inputs: readonly { readonly id: string; readonly fields: Json }[];
  readonly by: 'id' | 'email' | 'external_id';
  readonly properties: readonly string[];
  readonly atomic: boolean;
}

const FIELDS = `[
  { object_type: contacts, internal_name: manager, type: reference, target_object_type: contacts },
  { object_type: contacts, internal_name: notes, type: string, long: true },
  { object_type: contacts, internal_name: score, type: number }]`;
const USERS = '[{ email: ada@acme.test }, { email: bob@acme.test }]';
const SHOWN = ['city', 'company', 'contact_owner_assigned_date', 'manager', 'notes', 'phone', 'score'];

const RECORD = fc.integer({ min: 0, max: 9 }).map((n) => `#${n}`);
const EMAIL = fc.integer({ min: 0, max: 5 }).map((n) => `e${n}@x.example`);
const SPELT = fc.tuple(EMAIL, fc.boolean()).map(([email, loud]) => (loud ? email.toUpperCase() : email));
const KEY = fc.integer({ min: 0, max: 5 }).map((n) => `key-${n}`);
const EMPTY = fc.constantFrom(null, '');
const STRANGE = fc.constantFrom('#-1', UNKNOWN_ID, 'no-id');

const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: good, weight: 14 }, { arbitrary: bad, weight: 1 });

const values = fc.record({
  first_name: mostly<unknown>(fc.constantFrom('Ada', 'Bob', 'Zoë'), fc.oneof(EMPTY, fc.constant({}))),
  email: mostly<unknown>(SPELT, fc.oneof(EMPTY, fc.constant('no-email'))),
  external_id: mostly<unknown>(KEY, EMPTY),
  city: mostly<unknown>(fc.constantFrom('Paris', 'Oslo'), EMPTY),
  notes: fc.constantFrom<unknown>('short', 'x'.repeat(3_000), null),
  score: mostly<unknown>(fc.constantFrom('12.50', 7), fc.constant('many')),
  contact_owner: mostly<unknown>(
    fc.constantFrom('ada@acme.test', 'BOB@acme.test', null),
    fc.constant('nobody@acme.test'),
  ),
  company: mostly<unknown>(
    fc.constantFrom({ website_url: 'https://www.co.example/a' }, null),
    fc.constantFrom({ website_url: 'none.example' }, UNKNOWN_ID, 7),
  ),
  manager: mostly<unknown>(
    fc.oneof(
      RECORD,
      EMAIL.map((email) => ({ email })),
      KEY.map((external_id) => ({ external_id })),
    ),
    STRANGE,
  ),
  nope: fc.constant('x'),
});

/** Most of the time a name, which each record must have or an e-mail, and few fields of the others. */
const NAMES = ['city', 'notes', 'score', 'contact_owner', 'company', 'manager', 'manager', 'nope'];
const fields = fc
  .tuple(
    values,
    fc.subarray(['first_name', 'email', 'external_id']),
    mostly(fc.subarray(NAMES, { maxLength: 1 }), fc.subarray(NAMES)),
  )
  .map(([all, keys, others]) =>
    Object.fromEntries([...keys, ...others].map((name) => [name, (all as Json)[name]])),
  );

const batches: fc.Arbitrary<Batch> = fc
  .record({
    action: fc.constantFrom(...ACTIONS, 'create' as const, 'update' as const, 'upsert' as const),
    by: fc.constantFrom('id' as const, 'email' as const, 'external_id' as const),
    properties: fc.oneof(
      fc.constant([]),
      fc.subarray(SHOWN.filter((name) => name !== 'notes')),
      fc.subarray(SHOWN),
    ),
    atomic: mostly(fc.constant(false), fc.constant(true)),
  })
  .chain(({ action, by: asked, properties, atomic }) => {
    const by = action === 'create' || action === 'restore' ? 'id' : asked;
    const named = action === 'upsert' && by === 'id' ? 'external_id' : by;
    const id = { id: mostly(RECORD, STRANGE), email: SPELT, external_id: KEY }[named];
    const inputs = fc.array(fc.record({ id, fields }), { minLength: 1, maxLength: 20 });
    return inputs.map((each) => ({ action, by: named, properties, atomic, inputs: each }));
  });

/** An account, and the ids of its records in the order in which they were created. */
class Side {
  readonly ids: string[] = [];
  constructor(
    readonly api: ApiClient,
    readonly stranger: string,
  ) {}

  /** Puts ids in place of what stands for them. */
  real<T>(value: T): T {
    const text = JSON.stringify(value).replaceAll(/#(-?\d+)/g, (_, n: string) =>
      n === '-1' ? this.stranger : (this.ids.at(-1 - Number(n)) ?? UNKNOWN_ID),
    );
    return JSON.parse(text) as T;
  }

  /** Puts `#n` in place of ids, and leaves out what no two requests have in common. */
  same(value: unknown): unknown {
    const text = this.ids.reduce((all, id, n) => all.replaceAll(id, `#${n}`), JSON.stringify(value ?? null));
    return JSON.parse(text, (key, each: unknown) => {
      if (key === 'request_id' || key === 'created_at' || key === 'updated_at') return undefined;
      if (key === 'archived' && typeof each === 'string') return 'archived';
      return key.endsWith('_assigned_date') && each !== null ? 'assigned' : each;
    });
  }

  /** All records, archived ones too, in creation order. */
  async state(): Promise<unknown> {
    const names = SHOWN.join(',');
    const all: Json[] = [];
    for (let next: string | null = ''; next !== null;) {
      const after = next === '' ? '' : `&after=${next}`;
      const { status, body } = await this.api.get(
        `/contacts?archived=true&limit=100&properties=${names}${after}`,
      );
      expect({ status, body }).toMatchObject({ status: 200 });
      all.push(...body.data);
      next = body.pagination.next;
    }
    this.ids.splice(0, Infinity, ...all.map(({ id }) => id));
    return this.same(all.map(({ archived_by: _, ...record }) => record));
  }

  batch({ action, inputs, by, properties, atomic }: Batch): Promise<ApiResponse> {
    const shape = ({ id, fields: sent }: Batch['inputs'][number]): Json =>
      action === 'create'
        ? { fields: sent }
        : action === 'update' || action === 'upsert'
          ? { id, fields: sent }
          : { id };
    return this.api.post(`/contacts/batch/${action}`, {
      ...this.real({ inputs: inputs.map(shape) }),
      ...(by === 'id' ? {} : { id_property: by }),
      properties,
      atomic,
    });
  }

  /** The requests for which a batch stands. */
  async loop({ action, inputs, by, properties }: Batch): Promise<ApiResponse[]> {
    const answers: ApiResponse[] = [];
    for (const input of inputs) {
      const { id, fields: sent } = this.real(input);
      const query = new URLSearchParams({
        ...(by === 'id' ? {} : { id_property: by }),
        ...(properties.length === 0 || action === 'archive' || action === 'restore'
          ? {}
          : { properties: properties.join(',') }),
      }).toString();
      const path = `/contacts/${encodeURIComponent(id)}?${query}`;
      switch (action) {
        case 'create':
          answers.push(await this.api.post(`/contacts?${query}`, { fields: sent }));
          break;
        case 'read':
          answers.push(await this.api.get(path));
          break;
        case 'update':
          answers.push(await this.api.patch(path, { fields: sent }));
          break;
        case 'upsert':
          answers.push(await this.api.put(path, { fields: sent }));
          break;
        case 'archive':
          answers.push(await this.api.delete(path));
          break;
        case 'restore':
          answers.push(await this.api.post(`/contacts/${encodeURIComponent(id)}/restore`));
      }
    }
    return answers;
  }
}

let service: TestService;
let many: Side;
let one: Side;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(
    `accounts: [${['many', 'one'].map((slug) => `{ slug: ${slug}, users: ${USERS}, fields: ${FIELDS} }`).join(', ')}]`,
  );
  const stranger = await (await service.login('stranger')).post('/contacts', { fields: { first_name: 'S' } });
  const side = async (slug: string): Promise<Side> => {
    const api = await service.login(slug);
    await api.post('/companies', { fields: { company_name: 'Co', website_url: 'co.example' } });
    return new Side(api, stranger.body.id);
  };
  [many, one] = [await side('many'), await side('one')];
});
afterAll(() => service.stop());

const COMPANY = /"company":"[^"]+"/g;
/** Companies have different ids in the two accounts. */
const withoutCompanies = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll(COMPANY, '"company":"co"'));

const plain = ({ archived_by: _, ...record }: Json): Json => record;

/** The answer of a batch as those of single requests. */
const entries = ({ body }: ApiResponse): Json[] =>
  body.results.map(({ index: _, status, record, ...error }: Json) => ({
    status,
    body: record === undefined ? error : plain(record),
  }));

async function expectSame(batch: Batch): Promise<void> {
  const before = await many.state();
  expect(withoutCompanies(before)).toEqual(withoutCompanies(await one.state()));
  let refused: ApiResponse | undefined;
  if (batch.atomic) {
    const answer = await many.batch(batch);
    if (answer.status === 200) return expectAnswers(answer, await one.loop(batch));
    refused = answer;
    expect(await many.state()).toEqual(before);
  }
  const answer = await many.batch({ ...batch, atomic: false });
  if (refused !== undefined) expectRefused(refused, answer);
  await expectAnswers(answer, await one.loop(batch));
}

async function expectAnswers(answer: ApiResponse, singles: readonly ApiResponse[]): Promise<void> {
  expect(answer.status).toBe(200);
  const states = [await many.state(), await one.state()];
  const got = withoutCompanies(many.same(entries(answer)));
  expect(got).toEqual(
    withoutCompanies(one.same(singles.map(({ status, body }) => ({ status, body: plain(body) })))),
  );
  expect(withoutCompanies(states[0])).toEqual(withoutCompanies(states[1]));
}

/** All that is wrong with the inputs, each of which a batch that is not atomic refuses. */
function expectRefused({ status, body }: ApiResponse, answer: ApiResponse): void {
  const failed: Json[] = answer.body.results.filter((each: Json) => each['status'] >= 400);
  expect(status).toBe(failed[0]?.['status']);
  expect(body.code).toBe(failed[0]?.['code']);
  const errors = failed.flatMap(({ index, message, errors: all = [{ message }] }) =>
    all.map((each: Json) => ({ index, ...each })),
  );
  const withoutIds = (each: Json[]): Json[] => each.map(({ existing_id: _, ...error }) => error);
  expect(withoutIds(body.errors)).toEqual(withoutIds(errors));
}

/** A batch of which everything is asked for, and that is not atomic. */
const batchOf = (action: Action, by: Batch['by'], inputs: readonly (readonly [string, Json])[]): Batch => ({
  action,
  by,
  // Without the long field: who shows it is done alone.
  properties: ['city', 'manager'],
  atomic: false,
  inputs: inputs.map(([id, sent]) => ({ id, fields: sent })),
});

describe('A batch', () => {
  it('sees in each input what those before have done to keys [contract 7]', async () => {
    const mail = (name: string): string => `${name}@chain.example`;
    const people = ['a', 'b', 'c', 'd'].map((name): [string, Json] => [
      '',
      { email: mail(name), external_id: name, first_name: name },
    ]);
    await expectSame(
      batchOf('create', 'id', [
        ...people,
        // Not in the way of a record is one that is created behind it.
        ['', { email: mail('a'), external_id: 'later' }],
        ['', { first_name: 'Later', external_id: 'later' }],
      ]),
    );
    await expectSame(
      batchOf('update', 'email', [
        // A key moves on, and is another record's then.
        [mail('a'), { email: mail('z') }],
        [mail('z'), { city: 'Oslo' }],
        [mail('b'), { email: mail('a') }],
        [mail('a'), { city: 'Paris' }],
        // A key is free once the one that has it has given it back.
        [mail('c'), { email: mail('d') }],
        [mail('d'), { email: null, city: 'Rome' }],
        [mail('c'), { email: mail('d') }],
      ]),
    );
    await expectSame(
      batchOf('upsert', 'external_id', [
        ['new-1', { email: mail('n'), first_name: 'N' }],
        ['new-2', { email: mail('n'), first_name: 'M' }],
        ['new-1', { email: mail('o') }],
        ['new-2', { email: mail('n'), first_name: 'M' }],
        ['new-3', { manager: { external_id: 'new-2' }, first_name: 'L' }],
        ['new-4', { email: mail('p'), first_name: 'K' }],
        ['a', { email: mail('p') }],
      ]),
    );
    await expectSame(
      batchOf('archive', 'email', [
        [mail('n'), {}],
        [mail('o'), {}],
        [mail('n'), {}],
      ]),
    );
    await expectSame(batchOf('create', 'id', [['', { email: mail('n') }]]));
    await expectSame(batchOf('archive', 'email', [[mail('n'), {}]]));
    await expectSame(
      batchOf(
        'restore',
        'id',
        Array.from({ length: 8 }, (_, n) => [`#${n}`, {}]),
      ),
    );
  });

  it('answers and leaves behind what its inputs would, sent one after the other [contract 7]', async () => {
    await fc.assert(
      fc.asyncProperty(batches, (batch) => expectSame(batch)),
      { numRuns: storm(100), seed: seedOf(7), endOnFailure: true },
    );
  }, 300_000);
});
