// A service of its own: it has a hook.
import { conflict } from '../../../src/errors/errors.js';
import { RecordHooks, RecordsService, type RecordWrite } from '../../../src/records/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;
let api: ApiClient;
let asked: RecordWrite[];
let seen: unknown[];

/** Takes part in the writes of records that it watches, and refuses some of these. */
const watched = new Set<string>();
const isWatched = ({ id, changes }: Pick<RecordWrite, 'id' | 'changes'>): boolean =>
  watched.has(id ?? '') || (changes.get('first_name') ?? '').startsWith('Watched');

/** How many contacts there are when it is asked about one of a city, the last time. */
const present = new Map<string, number>();
let isCounting = false;
/** Whether the hook says of which writes it may be part. */
let isSelective = false;

async function count({ client, changes }: RecordWrite): Promise<void> {
  const records = service.app.get(RecordsService, { strict: false });
  const { pagination } = await records.list(client, 'contacts', { limit: 1, offset: 0, archived: false });
  present.set(changes.get('city') ?? '', pagination.count);
}

/** Takes part in the writes of contacts in Open, as they are stored. */
async function isOpen({ action, client, objectType, id }: RecordWrite): Promise<boolean> {
  if (action !== 'update' || id === null || watched.has(id)) return false;
  const { city } = await service.app
    .get(RecordsService, { strict: false })
    .get(client, { objectType, id }, { properties: ['city'] });
  return city === 'Open';
}

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme');
  service.app.get(RecordHooks, { strict: false }).register({
    concerns: ({ changes }) => !isSelective || isWatched({ id: null, changes }),
    onWrite: async (write) => {
      asked.push(write);
      if (isCounting) await count(write);
      if (!isWatched(write) && !(await isOpen(write))) return undefined;
      return {
        before: () =>
          write.changes.get('city') === 'Nowhere' ? Promise.reject(conflict('No')) : Promise.resolve(),
        after: (_, { previous, record }) => {
          seen.push([write.action, previous?.fields['city'], record.fields['city']]);
          return Promise.resolve();
        },
      };
    },
  });
});
beforeEach(() => {
  [asked, seen] = [[], []];
  watched.clear();
});
afterAll(() => service.stop());

const batch = async (action: string, body: object): Promise<Json[]> =>
  (await api.post(`/contacts/batch/${action}`, body)).body.results;
const statuses = (results: Json[]): number[] => results.map(({ status }) => status);

describe('A record hook', () => {
  it('takes part in the writes of a batch in which it has steps, in their turn [contract 7]', async () => {
    const names = ['A', 'Watched', 'B', 'Watched', 'Watched'];
    const cities = ['x', 'y', 'z', 'Nowhere', 'w'];
    const inputs = names.map((first_name, n) => ({
      fields: { first_name, city: cities[n], external_id: `hook-${n}` },
    }));
    const created = await batch('create', { inputs });
    expect(statuses(created)).toEqual([201, 201, 201, 409, 201]);
    expect(seen).toEqual([
      ['create', undefined, 'y'],
      ['create', undefined, 'w'],
    ]);
    expect(new Set(asked.map(({ changes }) => changes.get('external_id'))).size).toBe(5);
    const listed = (await api.get('/contacts?limit=100')).body.data.map(
      ({ external_id }: Json) => external_id,
    );
    expect(listed).toEqual(['hook-0', 'hook-1', 'hook-2', 'hook-4']);

    seen = [];
    const ids: string[] = [0, 1, 2, 4].map((n) => created[n]?.['record'].id);
    watched.add(ids[1] ?? '').add(ids[3] ?? '');
    const changes = ['Nowhere', 'Nowhere', 'b', 'c'];
    const updates = ids.map((id, n) => ({ id, fields: { city: changes[n] } }));
    expect(statuses(await batch('update', { inputs: updates }))).toEqual([200, 409, 200, 200]);
    expect(seen).toEqual([['update', 'w', 'c']]);

    const keys = ['hook-0', 'hook-1', 'hook-2', 'hook-9'];
    const upserts = keys.map((id) => ({ id, fields: { first_name: 'U', city: 'u' } }));
    const upserted = await batch('upsert', { inputs: upserts, id_property: 'external_id' });
    expect(statuses(upserted)).toEqual([200, 200, 200, 201]);
    expect(seen.slice(1)).toEqual([['update', 'y', 'u']]);

    seen = [];
    const all = { inputs: ids.map((id) => ({ id })) };
    expect(statuses(await batch('archive', all))).toEqual([200, 200, 200, 200]);
    expect(statuses(await batch('restore', all))).toEqual([200, 200, 200, 200]);
    expect(seen.map(([action]: any) => action)).toEqual(['archive', 'archive', 'restore', 'restore']);
  });

  it.each(['id', 'email', 'external_id'])(
    'sees what the inputs before it have written, by %s [contract 7]',
    async (by) => {
      const created = await batch('create', {
        inputs: ['a', 'b'].map((name) => ({
          fields: { email: `${name}@${by}.example`, external_id: `${by}-${name}` },
        })),
      });
      const ids: string[] = created.map(({ record }) => record[by]);
      const changes = [{ city: 'Open' }, { first_name: 'Seen' }, { city: 'Shut' }, { first_name: 'Unseen' }];
      // Of both records in turn: two of one record are never done together.
      const inputs = changes.flatMap((fields) => [
        { id: ids[0], fields },
        { id: ids[1], fields: { job_title: 'Clerk' } },
      ]);
      const named = by === 'id' ? {} : { id_property: by };
      for (const action of by === 'id' ? ['update'] : ['update', 'upsert']) {
        seen = [];
        expect(new Set(statuses(await batch(action, { inputs, ...named })))).toEqual(new Set([200]));
        expect(seen).toEqual([
          ['update', 'Open', 'Open'],
          ['update', 'Open', 'Shut'],
        ]);
      }
    },
  );

  it('sees of a create all that comes before it [contract 7]', async () => {
    const names = ['Watched', 'A', 'B', 'Watched', 'C'];
    const inputs = names.map((first_name, n) => ({ fields: { first_name, city: `turn-${n}` } }));
    isCounting = true;
    expect(statuses(await batch('create', { inputs }))).toEqual([201, 201, 201, 201, 201]);
    isCounting = false;
    const [first = 0, ...others] = names.map((_, n) => present.get(`turn-${n}`));
    expect(others).toEqual([first + 1, first + 2, first + 3, first + 4]);
  });

  it('is asked about what it says that it may be part of, and sees all before that [contract 7]', async () => {
    const names = ['A', 'B', 'Watched', 'C', 'D', 'Watched'];
    const inputs = names.map((first_name, n) => ({ fields: { first_name, city: `chosen-${n}` } }));
    isCounting = isSelective = true;
    expect(new Set(statuses(await batch('create', { inputs })))).toEqual(new Set([201]));
    isCounting = isSelective = false;
    const counts = names.map((_, n) => present.get(`chosen-${n}`));
    const second = counts[2] ?? 0;
    expect(counts).toEqual([undefined, undefined, second, undefined, undefined, second + 3]);
    expect(seen.map(([action]: any) => action)).toEqual(['create', 'create']);
  });

  it.each(['update', 'archive', 'restore'])(
    'is asked about a record that cannot be written where a single %s asks it [contract 7]',
    async (action) => {
      const { body } = await api.post('/contacts', { fields: { first_name: 'A' } });
      if (action !== 'restore') await api.delete(`/contacts/${body.id}`);
      asked = [];
      const inputs = [UNKNOWN_ID, body.id].map((id) => ({
        id,
        ...(action === 'update' ? { fields: { city: 'x' } } : {}),
      }));
      const single = async ({ id, ...fields }: Json): Promise<number> => {
        if (action === 'update') return (await api.patch(`/contacts/${id}`, fields)).status;
        if (action === 'archive') return (await api.delete(`/contacts/${id}`)).status;
        return (await api.post(`/contacts/${id}/restore`)).status;
      };
      const singles = [await single(inputs[0]!), await single(inputs[1]!)];
      const ofSingles = new Set(asked.map(({ id }) => id));
      asked = [];
      expect(statuses(await batch(action, { inputs }))).toEqual(singles);
      expect(new Set(asked.map(({ id }) => id))).toEqual(ofSingles);
    },
  );

  it('that refuses an input of an atomic batch refuses all of it [contract 7]', async () => {
    const count = async (): Promise<number> => (await api.get('/contacts?limit=1')).body.pagination.count;
    const before = await count();
    const inputs = ['A', 'Watched'].map((first_name) => ({ fields: { first_name, city: 'Nowhere' } }));
    const refused = await api.post('/contacts/batch/create', { inputs, atomic: true });
    expect(refused).toMatchObject({ status: 409, body: { message: 'Input 1: No' } });
    expect(await count()).toBe(before);
  });
});
