import type { ApiClient } from '../support/api-client.js';
import { exported } from '../support/configuration-file.js';
import { expectInvalid } from '../support/error-object.js';
import { RECORD_TYPES } from '../support/record-types.js';
import { storedRecords } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

const SHORT = 16 * 1024;
const LONG = 256 * 1024;

let service: TestService;
let api: ApiClient;

const field = (type: string, name: string, more = ''): string =>
  `{ object_type: ${type}, internal_name: ${name}, type: string${more} }`;

beforeAll(async () => {
  service = await TestService.start();
  const fields = RECORD_TYPES.flatMap(({ type }) => [
    field(type, 'short'),
    field(type, 'notes', ', long: true'),
  ]);
  await service.apply(`accounts: [{ slug: acme, fields: [${fields.join(', ')}] }]`);
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
