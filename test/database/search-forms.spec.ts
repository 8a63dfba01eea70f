import { instantIn } from '../../src/records/search/condition-sql.js';
import { canonicalText } from '../../src/text/canonical-text.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/** Characters that came into Unicode after the ICU of the embedded server, by range. */
const LATER: readonly (readonly [first: number, last: number])[] = [
  [0x1ac1, 0x1aff],
  [0x1c89, 0x1cbf],
  [0x2c2f, 0x2c2f],
  [0xa7b8, 0xa7f5],
  [0x10570, 0x105bf],
  [0x10d50, 0x10d65],
  [0x10ec0, 0x10efb],
  [0x16e40, 0x16eff],
  [0x1e6e0, 0x1e6ff],
];
const isLater = (code: number): boolean => LATER.some(([first, last]) => code >= first && code <= last);

const characters = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
    .filter((code) => (code < 0xd800 || code > 0xdfff) && !isLater(code))
    .map((code) => String.fromCodePoint(code));

/** The words whose form in the database is not that of the engine. */
async function wrong(words: readonly string[]): Promise<string[]> {
  const rows = await sql<{ form: string }>(
    service,
    'SELECT search_text(word) AS form FROM unnest($1::text[]) WITH ORDINALITY AS w (word, n) ORDER BY n',
    [words],
  );
  return words.filter((word, index) => rows[index]!.form !== canonicalText(word));
}

it('knows the form of a text as the engine does [contract 4, contract 7]', async () => {
  const marks = ['\u0301', '\u0323', '\u0308', '\u0313'];
  const words = characters(1, 0x1faff).flatMap((each, index) => [each, `a${each}${marks[index % 4]!}b`]);
  for (let start = 0; start < words.length; start += 20_000)
    expect(await wrong(words.slice(start, start + 20_000))).toEqual([]);
});

it('is known where no schema but that of PostgreSQL is in the path, as for ANALYZE [contract 7]', async () => {
  await service.apply('accounts: [{ slug: acme }]');
  const client = await service.login('acme');
  for (const external_id of ['É1', 'é2']) {
    const { status } = await client.post('/contacts', { fields: { external_id, first_name: 'A' } });
    expect(status).toBe(201);
  }
  await sql(service, 'ANALYZE records');
  await sql(service, 'REINDEX INDEX records_odd_external_id_idx');
  const [row] = await sql(
    service,
    `SELECT (SELECT count(*) FROM records WHERE search_text(external_id) = 'é1')::int AS found`,
  );
  expect(row).toEqual({ found: 1 });
});

it('breaks up long runs of marks, of whatever script, as the engine does [contract 4]', async () => {
  const marks = characters(0x300, 0xe01ef).filter((each) => /\p{M}/u.test(each));
  const long = 'д'.repeat(250);
  expect(
    await wrong(marks.flatMap((mark) => [20, 40].map((times) => `${long}${mark.repeat(times)}`))),
  ).toEqual([]);
  expect(await wrong([`${'\u0301'.repeat(65_536)}${'\u0316'.repeat(65_536)}`])).toEqual([]);
});

it('finds a long part of a text, and no other [contract 4, contract 7]', async () => {
  const long = 'ab'.repeat(150);
  const parts = [long, `b${long}`, `${long}c`, `c${long}`, `${long}a`, `${long}é`, `aé${long}`];
  const texts = [long, `é${long}c`, `${long}${long}`, `a${long.slice(1)}aé${long}`, long.slice(1)];
  const rows = await sql<{ text: string; part: string; found: boolean }>(
    service,
    'SELECT text, part, contains_text(text, part) AS found FROM unnest($1::text[]) AS t (text), unnest($2::text[]) AS p (part)',
    [texts, parts],
  );
  expect(rows).toHaveLength(texts.length * parts.length);
  expect(rows.filter(({ text, part, found }) => found !== text.includes(part))).toEqual([]);
});

it('knows every instant of the stored form, also of leap days, in conditions, sorts and keys [contract 4, contract 7]', async () => {
  const years = ['0000', '0004', '1900', '2000', '2023', '2024', '2096', '2100', '2400', '9999'];
  const months = Array.from({ length: 14 }, (_, month) => String(month).padStart(2, '0'));
  const days = Array.from({ length: 33 }, (_, day) => String(day).padStart(2, '0'));
  const texts = years.flatMap((year) =>
    months.flatMap((month) => days.map((day) => `${year}-${month}-${day}T12:00:00.000Z`)),
  );
  const rows = await sql<{ text: string; known: string | null; key: string }>(
    service,
    `SELECT text, ${instantIn('text')} AS known, index_key('instant', text) AS key FROM unnest($1::text[]) AS t (text)`,
    [texts],
  );
  const isDay = (text: string): boolean => {
    const at = new Date(text);
    return !text.startsWith('0000') && !Number.isNaN(at.getTime()) && at.toISOString() === text;
  };
  expect(rows).toEqual(
    texts.map((text) => ({ text, known: isDay(text) ? text : null, key: isDay(text) ? text : '\u0001' })),
  );
});
