// Services of its own, at their default limits of time: clients come again where these are met.
import { Client } from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { expectDuplicate, expectError } from '../support/error-object.js';
import { RECORD_TYPES, USERS } from '../support/record-types.js';
import { sql, storedRecords } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';
import { ACTIVITY } from '../support/database/cluster.js';
import { waitFor } from '../support/wait-for.js';

const FIELDS = storm(30, 10);

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.start({ obedient: true });
  const fields = RECORD_TYPES.flatMap(({ type }) =>
    Array.from(
      { length: FIELDS },
      (_, index) => `{ object_type: ${type}, internal_name: f_${index}, type: string }`,
    ),
  );
  await service.apply(`accounts: [{ slug: acme, ${USERS}, fields: [${fields.join(', ')}] }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('Concurrent PATCHes of one record of $type', ({ type, minimal, owner, text }) => {
  const names = Array.from({ length: FIELDS }, (_, index) => `f_${index}`);
  const query = `?properties=${names.join(',')},${owner}_assigned_date`;
  let id: string;

  beforeEach(async () => {
    ({
      body: { id },
    } = await api.post(`/${type}`, { fields: minimal }));
  });

  it('to different fields: no update is lost [2.6, 3, 4.4]', async () => {
    const responses = await Promise.all(
      names.map((name) => api.patch(`/${type}/${id}`, { fields: { [name]: `Value of ${name}` } })),
    );
    for (const { status } of responses) expect(status).toBe(200);
    const { body } = await api.get(`/${type}/${id}${query}`);
    for (const name of names) expect(body[name]).toBe(`Value of ${name}`);
  });

  it('that set and clear different fields: each does its own [3, 4.4, contract 3]', async () => {
    const all = Object.fromEntries(names.map((name) => [name, 'before']));
    await api.patch(`/${type}/${id}`, { fields: { ...all, [owner]: 'ada@acme.test' } });
    const responses = await Promise.all([
      api.patch(`/${type}/${id}`, { fields: { [owner]: null } }),
      ...names.map((name, index) =>
        api.patch(`/${type}/${id}`, { fields: { [name]: index % 2 === 0 ? null : 'after' } }),
      ),
    ]);
    for (const { status } of responses) expect(status).toBe(200);
    const { body } = await api.get(`/${type}/${id}${query}`);
    for (const [index, name] of names.entries()) expect(body[name]).toBe(index % 2 === 0 ? null : 'after');
    expect(body).toMatchObject({ [owner]: null, [`${owner}_assigned_date`]: null });
  });

  it('to the same fields: the fields of one of them, never a mixture [2.6, 8]', async () => {
    const responses = await Promise.all(
      Array.from({ length: storm(20, 8) }, (_, index) => {
        const fields = Object.fromEntries(names.map((name) => [name, `writer ${index}`]));
        return api.patch(`/${type}/${id}`, { fields });
      }),
    );
    for (const { status } of responses) expect(status).toBe(200);
    const { body } = await api.get(`/${type}/${id}${query}`);
    expect(new Set(names.map((name) => body[name])).size).toBe(1);
    expect(body[names[0]!]).toMatch(/^writer \d+$/);
  });

  it('of which some fail: what fails leaves nothing, what succeeds stays [2.6, 7, 8]', async () => {
    const responses = await Promise.all(
      names.map((name, index) => {
        const fields = { [name]: 'x', ...(index % 3 === 0 ? { no_such_field: 1 } : {}) };
        return api.patch(`/${type}/${id}`, { fields });
      }),
    );
    const { body } = await api.get(`/${type}/${id}${query}`);
    for (const [index, name] of names.entries()) {
      expect(responses[index]!.status).toBe(index % 3 === 0 ? 400 : 200);
      expect(body[name]).toBe(index % 3 === 0 ? null : 'x');
    }
  });

  it('and DELETEs: it is archived once, and never changed after [3, contract 3]', async () => {
    const [patches, deletes] = await Promise.all([
      Promise.all(names.map((name) => api.patch(`/${type}/${id}`, { fields: { [name]: 'x' } }))),
      Promise.all(Array.from({ length: 5 }, () => api.delete(`/${type}/${id}`))),
    ]);
    expect(deletes.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const { body } = await api.get(`/${type}/${id}${query}`);
    expect(body.archived).toBe(deletes.find(({ status }) => status === 200)!.body.archived);
    for (const [index, response] of patches.entries()) {
      if (response.status !== 200)
        expectError(response, 409, { message: expect.stringContaining('archived'), code: 'archived' });
      expect(body[names[index]!]).toBe(response.status === 200 ? 'x' : null);
    }
  });

  it('while lists are read: every page is whole and every record is seen once [4.2, contract 3]', async () => {
    const { body: before } = await api.get(`/${type}?limit=100`);
    const [lists] = await Promise.all([
      Promise.all(Array.from({ length: storm(10, 4) }, () => api.get(`/${type}?limit=100`))),
      Promise.all(names.map((name) => api.patch(`/${type}/${id}`, { fields: { [text]: name } }))),
    ]);
    const ids = (response: { body: any }): string[] =>
      response.body.data.map((record: { id: string }) => record.id);
    for (const list of lists) expect(ids(list)).toEqual(ids({ body: before }));
  });
});

describe('Updates that wait for each other', () => {
  // PostgreSQL ends such a deadlock by an error in one of the two statements. The client must not get a 500
  // for it.
  it('in a circle are all answered, as duplicates [2.8, 7]', async () => {
    const create = async (name: string): Promise<string> => {
      const fields = { email: `${name}@knot.example`, external_id: name };
      return (await api.post('/contacts', { fields })).body.id;
    };
    const [left, right] = [await create('left'), await create('right')];
    const before = await storedRecords(service);
    const blocker = new Client({ connectionString: service.database.url });
    await blocker.connect();
    try {
      // Both updates have changed their external ids when they wait for the uncommitted e-mails. Then each
      // needs the other's external id.
      await blocker.query('BEGIN');
      for (const name of ['first', 'second']) {
        await blocker.query(
          `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
           SELECT account_id, object_type, gen_random_uuid(), jsonb_build_object('email', $2::text), now(), now() FROM records WHERE id = $1`,
          [left, `${name}@knot.example`],
        );
      }
      const answers = Promise.all([
        api.patch(`/contacts/${left}`, { fields: { email: 'first@knot.example', external_id: 'right' } }),
        api.patch(`/contacts/${right}`, { fields: { email: 'second@knot.example', external_id: 'left' } }),
      ]);
      await waitFor('both updates to wait', async () => {
        const waiting = await sql(
          service,
          `SELECT FROM ${ACTIVITY} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 2;
      });
      await blocker.query('ROLLBACK');
      for (const answer of await answers) expectDuplicate(answer, 'external_id');
    } finally {
      await blocker.end();
    }
    expect(await storedRecords(service)).toEqual(before);
  });
});
