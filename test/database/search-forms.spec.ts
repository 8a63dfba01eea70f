import { instantIn } from '../../src/records/search/condition-sql.js';
import { canonicalText } from '../../src/text/canonical-text.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

it('knows the form of a text as the engine does, or says that it does not [contract 4, contract 7]', async () => {
  const characters = Array.from({ length: 0x1fb00 - 1 }, (_, index) => index + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const marks = ['\u0301', '\u0323', '\u0308', '\u0313'];
  const words = characters.flatMap((each, index) => [each, `a${each}${marks[index % 4]!}b`]);
  let known = 0;
  for (let start = 0; start < words.length; start += 20_000) {
    const part = words.slice(start, start + 20_000);
    const rows = await sql<{ form: string }>(
      service,
      'SELECT search_text(word) AS form FROM unnest($1::text[]) WITH ORDINALITY AS w (word, n) ORDER BY n',
      [part],
    );
    const wrong = part.filter(
      (word, index) => rows[index]!.form !== '\u0001' && rows[index]!.form !== canonicalText(word),
    );
    expect(wrong).toEqual([]);
    known += rows.filter(({ form }) => form !== '\u0001').length;
  }
  // Latin, Greek, Cyrillic, Han, Hangul and the others that are named in the migration.
  expect(known).toBeGreaterThan(80_000);
});

it('composes no text with a long run of marks, of whatever script, and knows all others as before [contract 4]', async () => {
  const all = Array.from({ length: 0xe01f0 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((each) => /\p{M}/u.test(each));
  const long = 'д'.repeat(130);
  const words = all.flatMap((mark) => [`${long}${mark.repeat(20)}`, `${long}${mark.repeat(4)}`]);
  const rows = await sql<{ form: string }>(
    service,
    'SELECT search_text(word) AS form FROM unnest($1::text[]) WITH ORDINALITY AS w (word, n) ORDER BY n',
    [words],
  );
  const forms = rows.map(({ form }) => form);
  expect(forms.filter((form, index) => index % 2 === 0 && form !== '\u0001')).toEqual([]);
  const known = words.filter((_, index) => index % 2 === 1 && forms[index] !== '\u0001');
  expect(known.length).toBeGreaterThan(100);
  const [huge] = await sql<{ form: string }>(
    service,
    'SELECT search_text(repeat($1, 65536) || repeat($2, 65536)) AS form',
    ['\u0301', '\u0316'],
  );
  expect(huge).toEqual({ form: '\u0001' });
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
