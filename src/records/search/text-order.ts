import { compareCanonical } from '../../text/canonical-text.js';
import type { SqlValues } from './sql-values.js';

/** The printable characters of ASCII that canonical texts have, in their alphabetical order. */
const ALPHABET = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .filter((character) => character === character.toLowerCase())
  .sort(compareCanonical)
  .join('');

/** The same number of characters in the order of their codes. */
const CODES = Array.from(ALPHABET, (_, index) => String.fromCharCode(0x100 + index)).join('');

const PLACES = new Map(Array.from(ALPHABET, (character, index) => [character, CODES.charAt(index)]));

const PRINTABLE = /^[ -~]*$/;

/**
 * Returns a text by whose bytes canonical texts of printable ASCII characters have their alphabetical order
 * (`compareCanonical`). Undefined for other texts.
 */
export function plainOrderKey(canonical: string): string | undefined {
  if (!PRINTABLE.test(canonical)) return undefined;
  return Array.from(canonical, (character) => PLACES.get(character)).join('');
}

/** SQL for `plainOrderKey` of a text; null for other texts. */
export const plainOrderSql = (text: string, values: SqlValues): string =>
  `CASE WHEN ${text} ~ '^[ -~]*$' THEN translate(${text}, ${values.add(ALPHABET, 'text')}, ${values.add(CODES, 'text')}) END COLLATE "C"`;
