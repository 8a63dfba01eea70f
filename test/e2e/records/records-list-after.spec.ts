import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { RECORD_TYPES } from '../../support/record-types.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const TOTAL = 12;
const ARCHIVED = [0, 5, 11];
const MEBIBYTE = 1024 * 1024;

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** Adds long fields to the deals of an account. */
async function addNotes(slug: string): Promise<void> {
  const notes = [1, 2, 3, 4].map(
    (index) => `{ object_type: deals, internal_name: notes_${index}, type: string, long: true }`,
  );
  await service.apply(`accounts: [{ slug: ${slug}, fields: [${notes.join(', ')}] }]`);
}

/** Reads a list page by page until there is no next. @returns the pages */
async function follow(client: ApiClient, path: string): Promise<ApiResponse['body'][]> {
  const pages: ApiResponse['body'][] = [];
  let after = '';
  do {
    const { status, body } = await client.get(`${path}${after}`);
    expect(status).toBe(200);
    pages.push(body);
    after = `&after=${body.pagination.next}`;
  } while (pages.at(-1).pagination.next !== null);
  return pages;
}
const rows = (pages: readonly any[]): any[] => pages.flatMap(({ data }) => data);

describe.each(RECORD_TYPES)('after, of GET /$type', ({ type, minimal, text }) => {
  let all: any[];
  let active: any[];

  beforeAll(async () => {
    for (let index = 0; index < TOTAL; index++) {
      const { body } = await api.post(`/${type}`, { fields: { ...minimal, [text]: `Number ${index}` } });
      if (ARCHIVED.includes(index)) await api.delete(`/${type}/${body.id}`);
    }
    all = (await api.get(`/${type}?limit=100&archived=true`)).body.data;
    active = all.filter(({ archived }) => archived === false);
  });

  it.each([1, 2, 3, 4, 9, 10])('joins pages of %d to the whole [4.2, contract 3]', async (limit) => {
    const pages = await follow(api, `/${type}?limit=${limit}`);
    expect(rows(pages)).toEqual(active);
    expect(pages).toHaveLength(Math.ceil(active.length / limit));
    for (const { pagination } of pages.slice(0, -1)) {
      expect(pagination).toEqual({ limit, offset: 0, count: active.length, next: expect.any(String) });
    }
    expect(pages.at(-1).pagination).toEqual({ limit, offset: 0, count: active.length, next: null });
  });

  it('goes with archived and properties [2.3, 4.2, contract 3]', async () => {
    const pages = await follow(api, `/${type}?limit=5&archived=true&properties=${text}`);
    expect(rows(pages)).toEqual(all.map((each, index) => ({ ...each, [text]: `Number ${index}` })));
  });

  it('goes on from a page at an offset [4.2, contract 3]', async () => {
    const { body } = await api.get(`/${type}?limit=2&offset=3`);
    const rest = await api.get(`/${type}?limit=100&after=${body.pagination.next}`);
    expect(rest.body.data).toEqual(active.slice(5));
    expect((await api.get(`/${type}?offset=0&limit=2&after=${body.pagination.next}`)).status).toBe(200);
  });

  it('is not disturbed by what is created and archived between pages [4.2, contract 3]', async () => {
    const { body: first } = await api.get(`/${type}?limit=3`);
    const created = await api.post(`/${type}`, { fields: minimal });
    await api.delete(`/${type}/${active[2].id}`);
    const rest = await api.get(`/${type}?limit=100&after=${first.pagination.next}`);
    expect(rest.body.data.map(({ id }: any) => id)).toEqual([
      ...active.slice(3).map(({ id }) => id),
      created.body.id,
    ]);
    const behindAll = await api.get(`/${type}?limit=100&offset=${active.length - 1}`);
    expect(behindAll.body.pagination.next).toBeNull();
  });

  it('is refused where it is none, or with an offset, and named [contract 1, contract 3]', async () => {
    const { next } = (await api.get(`/${type}?limit=1`)).body.pagination;
    for (const bad of ['', 'x', active[0].id, `${next}=`, `${next}A`, next.slice(1), '%00', 'null']) {
      const message = 'after must be the next of another page of this list';
      expectInvalid(await api.get(`/${type}?after=${bad}`), ['after', message]);
    }
    expectInvalid(await api.get(`/${type}?after=${next}&after=${next}`), [
      'after',
      'after must be sent once',
    ]);
    expectInvalid(await api.get(`/${type}?after=${next}&offset=1`), [
      'after',
      'after cannot be sent together with an offset',
    ]);
    expectInvalid(await api.get(`/${type}?after=x&limit=0`), ['limit', /limit/], ['after', /after/]);
  });
});

interface Notes {
  readonly text: string;
  readonly in?: readonly number[];
}

describe('A list of large records', () => {
  const LARGE = 20;
  const properties = 'notes_1,notes_2,notes_3,notes_4';
  let client: ApiClient;

  /** Adds deals with a text in each of four long fields, or in fewer. */
  async function fill(slug: string, count: number, { text, in: notes = [1, 2, 3, 4] }: Notes): Promise<void> {
    const { accountId } = await service.account(slug);
    await sql(
      service,
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
       SELECT $1, 'deals', uuid_v7(now() + make_interval(secs => i)), jsonb_build_object('deal_name', 'Deal ' || i)
         || (SELECT jsonb_object_agg('notes_' || note, $3::text) FROM unnest($4::int[]) AS note), now(), now()
       FROM generate_series(1, $2) AS i`,
      [accountId, count, text, notes],
    );
  }

  beforeAll(async () => {
    await addNotes('large');
    await fill('large', LARGE, { text: 'x'.repeat(MEBIBYTE / 4) });
    client = await service.login('large');
  });

  it.each(['limit=100', 'limit=20', 'limit=100&archived=true'])(
    'ends early where it would exceed 10 MiB, and nothing is left out: %s [4.2, contract 3]',
    async (query) => {
      const pages = await follow(client, `/deals?${query}&properties=${properties}`);
      for (const body of pages) expect(JSON.stringify(body).length).toBeLessThanOrEqual(10 * MEBIBYTE);
      expect(pages.map(({ data }) => data.length)).toEqual([9, 9, 2]);
      expect(rows(pages).map(({ deal_name }) => deal_name)).toEqual(
        Array.from({ length: LARGE }, (_, index) => `Deal ${index + 1}`),
      );
      expect(pages.map(({ pagination }) => pagination.count)).toEqual(pages.map(() => LARGE));
    },
  );

  it('ends early at an offset too [4.2, contract 3]', async () => {
    const { body } = await client.get(`/deals?limit=30&offset=3&properties=${properties}`);
    expect(body.data.map(({ deal_name }: any) => deal_name)).toEqual(
      Array.from({ length: 9 }, (_, index) => `Deal ${index + 4}`),
    );
    expect(body.pagination).toEqual({ limit: 30, offset: 3, count: LARGE, next: expect.any(String) });
    const last = await client.get(`/deals?limit=30&offset=18&properties=${properties}`);
    expect([last.body.data.length, last.body.pagination.next]).toEqual([2, null]);
  });

  it('is whole where the large fields are not shown [2.3, contract 3]', async () => {
    const { body } = await client.get('/deals?limit=100');
    expect([body.data.length, body.pagination.next]).toEqual([LARGE, null]);
  });

  it('has one record at least, however large it is [contract 3]', async () => {
    await addNotes('huge');
    await fill('huge', 2, { text: 'x'.repeat(11 * MEBIBYTE), in: [1] });
    const huge = await service.login('huge');
    const pages = await follow(huge, '/deals?limit=100&properties=notes_1');
    expect(pages.map(({ data }) => data.length)).toEqual([1, 1]);
    expect(rows(pages).map(({ notes_1 }) => notes_1.length)).toEqual([1, 1].map(() => 11 * MEBIBYTE));
  });

  it('counts what the answer needs to spell control characters [contract 3]', async () => {
    const text = '\u0001'.repeat(MEBIBYTE / 4);
    const lengths = async (slug: string, count: number, notes: readonly number[]): Promise<number[]> => {
      await addNotes(slug);
      await fill(slug, count, { text, in: notes });
      const pages = await follow(await service.login(slug), `/deals?limit=100&properties=${properties}`);
      return pages.map(({ data }) => data.length);
    };
    expect(await lengths('control', 2, [1, 2, 3, 4])).toEqual([1, 1]);
    expect(await lengths('less-control', 7, [1])).toEqual([6, 1]);
  });
});
