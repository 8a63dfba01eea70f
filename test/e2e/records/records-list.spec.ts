import type { ApiClient } from '../../support/api-client.js';
import { RECORD_TYPES } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

const TOTAL = 25;
/** Positions in creation order of the records that the test archives. */
const ARCHIVED = [0, 7, 12, 24];

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('GET /$type', ({ type, minimal, text }) => {
  const all: any[] = [];
  let active: any[];

  async function list(query = ''): Promise<{ data: any[]; pagination: any }> {
    const { status, body } = await api.get(`/${type}${query}`);
    expect(status).toBe(200);
    return body;
  }

  it('answers an empty envelope where there is nothing [4.2, 4.7, 8, contract 3]', async () => {
    expect(await list()).toEqual({ data: [], pagination: { limit: 10, offset: 0, count: 0, next: null } });
  });

  describe('with records', () => {
    beforeAll(async () => {
      for (let index = 0; index < TOTAL; index++) {
        const fields = { ...minimal, [text]: `Number ${index}` };
        const { body } = await api.post(`/${type}`, { fields });
        all.push(body);
      }
      for (const index of ARCHIVED) all[index] = (await api.delete(`/${type}/${all[index].id}`)).body;
      active = all.filter((_, index) => !ARCHIVED.includes(index));
    });

    it('answers ten records from the first on, oldest first [4.2, 4.7, 8, contract 3]', async () => {
      expect(await list()).toEqual({
        data: active.slice(0, 10),
        pagination: { limit: 10, offset: 0, count: TOTAL - ARCHIVED.length, next: expect.any(String) },
      });
    });

    it('answers flat objects, active ones without archived_by [2.2, 4.2]', async () => {
      const { data } = await list('?limit=100');
      for (const each of data) {
        expect(each.archived).toBe(false);
        expect(each).not.toHaveProperty('archived_by');
      }
    });

    it.each([1, 2, 7, 10, 21, 100])(
      'pages of %d join to the whole in creation order [4.2, 8, contract 3]',
      async (limit) => {
        const seen: any[] = [];
        for (let offset = 0; offset <= active.length; offset += limit) {
          const { data, pagination } = await list(`?limit=${limit}&offset=${offset}`);
          const next = offset + limit < active.length ? expect.any(String) : null;
          expect(pagination).toEqual({ limit, offset, count: active.length, next });
          expect(data).toHaveLength(Math.min(limit, active.length - offset));
          seen.push(...data);
        }
        expect(seen).toEqual(active);
      },
    );

    it('includes archived records in their places when asked to [2.2, 4.2, contract 3]', async () => {
      const page = await list('?archived=true&limit=100');
      expect(page).toEqual({ data: all, pagination: { limit: 100, offset: 0, count: TOTAL, next: null } });
      const part = await list('?archived=true&limit=3&offset=6');
      const pagination = { limit: 3, offset: 6, count: TOTAL, next: expect.any(String) };
      expect(part).toEqual({ data: all.slice(6, 9), pagination });
    });

    it('leaves archived records out by default and by archived=false [4.2]', async () => {
      expect(await list('?archived=false&limit=100')).toEqual(await list('?limit=100'));
      expect((await list('?archived=false')).pagination.count).toBe(active.length);
    });

    it('counts what matches, not what the page holds [contract 3]', async () => {
      for (const [query, count] of [
        ['?limit=1', active.length],
        ['?limit=1&archived=true', TOTAL],
        ['?offset=20&limit=5', active.length],
        ['?offset=1000', active.length],
      ] as const) {
        expect((await list(query)).pagination.count).toBe(count);
      }
    });

    it('answers an empty page past the end, however far [4.2, contract 3]', async () => {
      for (const offset of [active.length, TOTAL, 1_000_000, Number.MAX_SAFE_INTEGER]) {
        const pagination = { limit: 10, offset, count: active.length, next: null };
        expect(await list(`?offset=${offset}`)).toEqual({ data: [], pagination });
      }
    });

    it('returns extra properties of every record [2.3, 4.2]', async () => {
      const { data } = await list(`?archived=true&limit=100&properties=${text}&properties=record_id`);
      const extra = all.map((each, index) => ({ ...each, [text]: `Number ${index}`, record_id: each.id }));
      expect(data).toEqual(extra);
    });

    it('keeps the order when records are updated [4.2, contract 3]', async () => {
      const { body } = await api.patch(`/${type}/${active[0].id}`, { fields: { external_id: 'touched' } });
      Object.assign(active[0], body);
      const { data } = await list('?limit=100');
      expect(data.map(({ id }) => id)).toEqual(active.map(({ id }) => id));
    });
  });
});
