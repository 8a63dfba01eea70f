import type { QueryRunner } from 'typeorm';

/** What the trim method of JavaScript takes for white space, as an escaped text. */
const BLANK = `E'\\t\\n\\u000b\\u000c\\r \\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'`;

const LAST_MARK = 0xe01ef;

const isMark = (code: number): boolean => /\p{M}/u.test(String.fromCodePoint(code));

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

/**
 * The collation of texts and of their case: the Unicode root collation where PostgreSQL was built with ICU.
 * Without it texts are ordered by their characters.
 */
const ROOT_ORDER = `DO $$ BEGIN
    EXECUTE (SELECT format('CREATE COLLATION root_order FROM pg_catalog.%I', collname) FROM pg_collation
      WHERE collnamespace = 'pg_catalog'::regnamespace AND collname IN ('und-x-icu', 'pg_unicode_fast', 'C')
      ORDER BY array_position(ARRAY['und-x-icu', 'pg_unicode_fast', 'C'], collname::text) LIMIT 1);
  END $$`;

/**
 * The function that brings a text into the form in which it is compared: what `canonicalText` of src/text
 * makes, but for characters that only one of PostgreSQL and Node.js knows (ADR 26). Composition takes
 * quadratic time for a run of marks, and cannot be interrupted, so long runs are broken up. ANALYZE and
 * REINDEX call it with no schema but that of PostgreSQL in their path, so the collation is named with its
 * own.
 * @param schema in SQL
 */
export const searchText = (
  schema: string,
): string => `CREATE OR REPLACE FUNCTION search_text(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE form text;
  BEGIN
    IF octet_length(value) = char_length(value) THEN
      RETURN lower(btrim(value, E'\\t\\n\\u000b\\u000c\\r ') COLLATE "C");
    END IF;
    form := btrim(value, ${BLANK});
    IF char_length(form) > 256 THEN
      form := regexp_replace(form, '${marks()}{30}', E'\\\\&\\u034f', 'g');
    END IF;
    form := replace(normalize(form, NFC), 'ẞ', 'ß');
    RETURN normalize(replace(lower(upper(form COLLATE ${schema}.root_order) COLLATE ${schema}.root_order), 'ς', 'σ'), NFC);
  END $$`;

/**
 * Looks for a part that is so long that `strpos` may take quadratic time. Most are found, or are not, by
 * their beginning; for others Knuth, Morris and Pratt take linear time.
 */
const CONTAINS_TEXT = `CREATE FUNCTION contains_text(value text, part text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    matched integer := 0;
    first integer := strpos(value, left(part, 250));
    units text[];
    borders integer[];
  BEGIN
    IF first = 0 OR substr(value, first, char_length(part)) = part THEN
      RETURN first > 0;
    END IF;
    units := string_to_array(part, NULL) || ARRAY[''] || string_to_array(substr(value, first), NULL);
    borders := array_fill(0, ARRAY[cardinality(units)]);
    FOR place IN 2 .. cardinality(units) LOOP
      WHILE matched > 0 AND units[matched + 1] <> units[place] COLLATE "C" LOOP
        matched := borders[matched];
      END LOOP;
      IF units[matched + 1] = units[place] COLLATE "C" THEN
        matched := matched + 1;
      END IF;
      IF matched = char_length(part) THEN
        RETURN true;
      END IF;
      borders[place] := matched;
    END LOOP;
    RETURN false;
  END $$`;

/** Texts in the form in which they are compared, their order, and their long parts. */
export const textFunctions = (schema: string): readonly string[] => [
  ROOT_ORDER,
  searchText(schema),
  CONTAINS_TEXT,
];

/** Returns the schema in which tables and functions are made, in SQL. */
export async function schemaOf(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as {
    schema: string;
  }[];
  return row?.schema ?? 'public';
}
