import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { exported } from '../../support/configuration-file.js';
import { expectInvalid } from '../../support/error-object.js';
import { inPortions } from '../../support/in-portions.js';
import { RECORD_TYPES, USERS } from '../../support/record-types.js';
import { sql, storedRecords } from '../../support/database/stored-records.js';
import { obediently } from '../../support/obediently.js';
import { TestService } from '../../support/test-service.js';

const SHORT = 16 * 1024;
const LONG = 256 * 1024;

let service: TestService;
let api: ApiClient;

const field = (type: string, name: string, more = ''): string =>
  `{ object_type: ${type}, internal_name: ${name}, type: string${more} }`;

beforeAll(async () => {
  service = await TestService.shared();
  const fields = RECORD_TYPES.flatMap(({ type }) => [
    ...['short', 'second', 'third', 'fourth', 'odd'].map((name) => field(type, name)),
    field(type, 'notes', ', long: true'),
  ]);
  await service.apply(`accounts: [{ slug: acme, ${USERS}, fields: [${fields.join(', ')}] }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('A text of $type', ({ type, minimal, text }) => {
  const query = '?properties=short,notes';

  it.each([
    ['x', 1],
    ['é', 2],
    ['世', 3],
    ['👋', 4],
  ])('has at most 16 KiB, or 256 KiB if it is long: %s [2.6, contract 3]', async (character, bytes) => {
    const short = character.repeat(Math.floor(SHORT / bytes));
    const notes = character.repeat(Math.floor(LONG / bytes));
    const created = await api.post(`/${type}${query}`, { fields: { ...minimal, short, notes } });
    expect(created.status).toBe(201);
    expect([created.body.short === short, created.body.notes === notes]).toEqual([true, true]);
    const before = await storedRecords(service);
    const fields = { ...minimal, short: short + character, notes: notes + character, [text]: `${short}xxxx` };
    const failures = [
      ['short', 'short must have at most 16384 bytes in UTF-8'],
      ['notes', 'notes must have at most 262144 bytes in UTF-8'],
      [text, `${text} must have at most 16384 bytes in UTF-8`],
    ] as const;
    expectInvalid(await api.post(`/${type}`, { fields }), ...failures);
    expectInvalid(await api.patch(`/${type}/${created.body.id}`, { fields }), ...failures);
    expect(await storedRecords(service)).toEqual(before);
  });
});

describe.each(RECORD_TYPES)('The fields of a record of $type', ({ type, minimal, owner }) => {
  const texts = ['short', 'second', 'third', 'fourth'];
  const full = Object.fromEntries(texts.map((name) => [name, 'x'.repeat(SHORT)]));
  const message = (name: string): string =>
    `${name} would make the fields of this record larger than 65536 bytes together`;

  it('have at most 64 KiB together on POST [2.6, 4.3, contract 3]', async () => {
    const before = await storedRecords(service);
    const fields = { ...minimal, ...full };
    expectInvalid(await api.post(`/${type}`, { fields }), ['short', message('short')]);
    expectInvalid(await api.post(`/${type}`, { fields: { ...fields, short: 'x' + full['third']!.slice(2) } }), ['second', message('second')]);
    expect(await storedRecords(service)).toEqual(before);
    const created = await api.post(`/${type}`, { fields: { ...fields, fourth: 'x', notes: 'x'.repeat(LONG) } });
    expect(created.status).toBe(201);
  }); // prettier-ignore

  it('have exactly 64 KiB at most, as the database has them [2.5, contract 3]', async () => {
    const size = async (id: string): Promise<number> => {
      const [row] = await sql<{ size: number }>(
        service,
        `SELECT octet_length((fields - 'notes')::text) AS size FROM records WHERE id = $1`,
        [id],
      );
      return row!.size;
    };
    const odd = 'é"\\\n\u0001\u007f';
    const fields = { ...minimal, ...full, odd, [owner]: 'ada@acme.test' };
    const { body } = await api.post(`/${type}`, { fields: { ...fields, third: 'x', notes: 'long' } });
    const room = 65_536 - (await size(body.id)) + 1;
    const path = `/${type}/${body.id}`;
    const third = 'x'.repeat(room);
    expectInvalid(await api.patch(path, { fields: { third: `${third}x` } }), ['third', message('third')]);
    expect((await api.patch(path, { fields: { third } })).status).toBe(200);
    expect(await size(body.id)).toBe(65_536);
    expectInvalid(await api.patch(path, { fields: { external_id: '1', odd: `${odd}x` } }), ['odd', message('odd')]);
    const whole = { ...fields, third };
    expect((await api.post(`/${type}`, { fields: whole })).status).toBe(201);
    expectInvalid(await api.post(`/${type}`, { fields: { ...whole, third: `${third}x` } }), ['short', message('short')]);
  }); // prettier-ignore

  it('may be more than that where they were before, and do not grow [contract 3]', async () => {
    const { body } = await api.post(`/${type}`, { fields: minimal });
    const path = `/${type}/${body.id}`;
    expect((await api.patch(path, { fields: { second: 'xx' } })).status).toBe(200);
    await sql(service, `UPDATE records SET fields = fields || jsonb_build_object('fourth', repeat('x', 70000)) WHERE id = $1`, [body.id]);
    expect((await api.patch(path, { fields: { second: 'y' } })).status).toBe(200);
    expect((await api.patch(path, { fields: { short: null } })).status).toBe(200);
    expectInvalid(await api.patch(path, { fields: { short: 'x' } }), ['short', message('short')]);
    expect((await api.patch(path, { fields: { notes: 'x'.repeat(LONG) } })).status).toBe(200);
    expect((await api.patch(path, { fields: { fourth: 'x'.repeat(SHORT), short: full['short'] } })).status).toBe(200);
    expect((await api.patch(path, { fields: { second: 'x' } })).status).toBe(200);
  }); // prettier-ignore
});

describe('The long fields of a record', () => {
  const before = Array.from({ length: 25 }, (_, index) => `long_${index}`);
  const names = Array.from({ length: 4 }, (_, index) => `long_${before.length + index}`);
  const whole = 7 * 1024 * 1024;

  it('have at most 7 MiB with the others, also when many write at once [contract 3]', async () => {
    const fields = [...before, ...names].map((name) => field('tickets', name, ', long: true'));
    await service.apply(`accounts: [{ slug: acme, fields: [${fields.join(', ')}] }]`);
    const { body } = await api.post('/tickets', {
      fields: { ticket_name: 'Long', ticket_stage: 'new', pipeline: 'default' },
    });
    const path = `/tickets/${body.id}`;
    const text = 'x'.repeat(LONG);
    await sql(
      service,
      `UPDATE records SET fields = fields || (SELECT jsonb_object_agg(name, $2::text) FROM unnest($3::text[]) AS name)
        WHERE id = $1`,
      [body.id, text, before],
    );
    const write = async (name: string): Promise<ApiResponse> => {
      for (;;) {
        const answer = await obediently(() => api.patch(path, { fields: { [name]: text } }));
        // Repeated, the write sets the same text again.
        if (answer.body.code !== 'outcome_unknown') return answer;
      }
    };
    const answers = await inPortions(names.length, 8, (index) => write(names[index]!));
    const taken = names.filter((_, index) => answers[index]?.status === 200);
    expect(before.length + taken.length).toBe(Math.floor(whole / LONG) - 1);
    const refused = names.filter((name) => !taken.includes(name));
    for (const name of refused) {
      const message = `${name} would make the fields of this record larger than ${whole} bytes together, long fields included`;
      expectInvalid(answers[names.indexOf(name)]!, [name, message]);
    }
    const [row] = await sql<{ size: number }>(
      service,
      'SELECT octet_length(fields::text) AS size FROM records WHERE id = $1',
      [body.id],
    );
    expect(row!.size).toBeLessThanOrEqual(whole);
    expect((await api.patch(path, { fields: { ticket_name: 'Longer' } })).status).toBe(200);
    const [one, other] = [taken[0]!, refused[0]!];
    const swapped = await api.patch(`${path}?properties=${one},${other}`, {
      fields: { [one]: null, [other]: text },
    });
    expect(swapped.body).toMatchObject({ [one]: null, [other]: text });
  });
});

describe('A long field that becomes short', () => {
  it('keeps the texts that records hold, and takes no longer ones [contract 3, contract 5]', async () => {
    const apply = (long: boolean): Promise<void> =>
      service.apply(
        `accounts: [{ slug: acme, fields: [${field('contacts', 'story', `, long: ${String(long)}`)}] }]`,
      );
    const shownFields = async (): Promise<object[]> => (await exported({ service, slug: 'acme' })).fields;
    const shown = { object_type: 'contacts', internal_name: 'story', label: 'story', type: 'string' };
    await apply(true);
    expect(await shownFields()).toContainEqual({ ...shown, long: true });
    const story = 'x'.repeat(SHORT + 1);
    const { body } = await api.post('/contacts?properties=story', { fields: { first_name: 'Ada', story } });
    expect(body.story === story).toBe(true);
    await apply(false);
    expect(await shownFields()).toContainEqual(shown);
    const path = `/contacts/${body.id}?properties=story`;
    const refusal = ['story', 'story must have at most 16384 bytes in UTF-8'] as const;
    expectInvalid(await api.patch(path, { fields: { story } }), refusal);
    const patched = await api.patch(path, { fields: { first_name: 'Grace' } });
    expect(patched.body).toMatchObject({ first_name: 'Grace', story });
    await apply(true);
    expect((await api.patch(path, { fields: { story: `${story}x` } })).body.story).toBe(`${story}x`);
  });
});
