/** Scripts of which the case is known: the texts of each are mapped only where it occurs. */
const CASED: readonly (readonly [first: number, last: number])[] = [
  [0xa0, 0x24f], // Latin
  [0x370, 0x3ff], // Greek
  [0x400, 0x52f], // Cyrillic
  [0x1e00, 0x1eff], // Latin with two marks
  [0xff01, 0xff5e], // full width
];

/** Characters that become several, which `translate` cannot do, or that combine with what follows. */
const LEFT_OUT = [0x130, 0x149, 0x345, 0x1e9a];

/**
 * The other characters whose form PostgreSQL and Node.js know alike, whatever versions they have: marks,
 * Hebrew, Arabic, Devanagari, Thai, punctuation, currencies, kana, Han, Hangul, emoji.
 */
const CASELESS =
  '\\u0300-\\u033F\\u05D0-\\u05EA\\u0600-\\u06FF\\u0900-\\u097F\\u0E01-\\u0E3A\\u0E3F-\\u0E5B' +
  '\\u2000-\\u200A\\u2010-\\u205F\\u20A0-\\u20BF\\u3000-\\u303F\\u3041-\\u3096\\u3099-\\u30FF' +
  '\\u3400-\\u4DB5\\u4E00-\\u9FEF\\uAC00-\\uD7A3\\uFEFF\\uFF5F-\\uFFEE\\U0001F300-\\U0001FAFF';

/** What the trim method of JavaScript takes for white space, as an escaped text. */
const BLANK = `E'\\t\\n\\u000b\\u000c\\r \\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'`;

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
const range = (first: number, last: number): string =>
  first > last ? '' : first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`;

/** A range without what is left out, for a class of a regular expression. */
function classOf([first, last]: readonly [number, number]): string {
  const gaps = LEFT_OUT.filter((code) => code >= first && code <= last);
  const starts = [first, ...gaps.map((code) => code + 1)];
  return starts.map((start, index) => range(start, (gaps[index] ?? last + 1) - 1)).join('');
}

/** The characters of a range that have another form without case, and these forms. */
function mapping([first, last]: readonly [number, number]): readonly [string, string] {
  let from = '';
  let to = '';
  for (let code = first; code <= last; code++) {
    const character = String.fromCodePoint(code);
    const form = character.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
    const isOne = Array.from(form).length === 1 && character.normalize('NFC') === character;
    if (!isOne || form === character || LEFT_OUT.includes(code)) continue;
    from += character;
    to += form;
  }
  return [from, to];
}

/** A run of marks that is not composed, among the characters above. */
const RUN =
  '[\\u0300-\\u033F\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06ED' +
  '\\u0900-\\u0957\\u0962\\u0963\\u0E31-\\u0E4E\\u302A-\\u302F\\u3099\\u309A]{15}';

const LAST_MARK = 0xe01ef;

/** All combining marks, as the class of a regular expression. They take 50 ms. */
function marks(): string {
  const escaped = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;
  let ranges = '';
  for (let code = 0x300; code <= LAST_MARK; code++) {
    if (!isMark(code)) continue;
    const first = code;
    while (isMark(code + 1)) code++;
    ranges += first === code ? escaped(first) : `${escaped(first)}-${escaped(code)}`;
  }
  return `[${ranges}]`;
}

const isMark = (code: number): boolean => /\p{M}/u.test(String.fromCodePoint(code));

/**
 * The function that brings a text into the form in which it is compared. Must make what `canonicalText` of
 * src/text makes, or U+0001 (ADR 26). PostgreSQL takes quadratic time to compose a run of marks, and cannot
 * be interrupted: a text with a long run is not composed.
 */
function searchText(): string {
  const mapped = CASED.map((each) => {
    const [from, to] = mapping(each);
    return `IF composed ~ '[${classOf(each)}]' THEN folded := translate(folded, '${from}', '${to}'); END IF;`;
  }).join('\n    ');
  const known = `\\u0001-\\u007F${CASED.map(classOf).join('')}${CASELESS}`;
  return `CREATE FUNCTION search_text(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    composed text;
    folded text;
  BEGIN
    IF octet_length(value) = char_length(value) THEN
      RETURN lower(btrim(value, E'\\t\\n\\u000b\\u000c\\r ') COLLATE "C");
    END IF;
    IF octet_length(value) > 256 AND value ~ '${marks()}{20}' THEN
      RETURN E'\\u0001';
    END IF;
    composed := normalize(btrim(value, ${BLANK}), NFC);
    IF composed ~ '[^${known}]' OR (octet_length(value) > 256 AND composed ~ '${RUN}') THEN
      RETURN E'\\u0001';
    END IF;
    folded := lower(composed COLLATE "C");
    ${mapped}
    RETURN normalize(replace(replace(folded, 'ß', 'ss'), 'ẞ', 'ss'), NFC);
  END $$`;
}

/** Must not fail: whatever text is stored has a place. */
const SORT_TEXT = `CREATE FUNCTION sort_text(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE folded text := search_text(value);
  BEGIN
    RETURN left(CASE WHEN folded = E'\\u0001' THEN lower(value) ELSE folded END, 256);
  END $$`;

/** The Unicode root collation, where PostgreSQL was built with ICU. */
const ROOT_ORDER = `DO $$ BEGIN
    IF to_regcollation('pg_catalog."und-x-icu"') IS NULL THEN CREATE COLLATION root_order FROM pg_catalog."C";
    ELSE CREATE COLLATION root_order FROM pg_catalog."und-x-icu";
    END IF;
  END $$`;

/** Texts in the form in which they are compared, and their order. It takes 50 ms, so no start asks for it. */
export const textFunctions = (): readonly string[] => [searchText(), SORT_TEXT, ROOT_ORDER];
