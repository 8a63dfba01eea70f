/** Characters that are not seen, such as a zero width space. */
export const INVISIBLE = /\p{Cf}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Code units up to which any text is normalized as it is. */
const SHORT = 256;
/** How many combining marks in a row a text may have (UAX #15, Stream-Safe Text Format). */
const MOST_MARKS = 30;
const MARK_RUN = new RegExp(`\\p{M}{${MOST_MARKS}}`, 'gu');
const MARK = /[\p{M}\p{Surrogate}]/u;
const GRAPHEME_JOINER = '\u034f';

/**
 * Returns the form in which texts are compared (contract section 4): without regard to surrounding white
 * space (no-break spaces included), to case and to Unicode composition. Two texts are equal exactly when
 * their forms are. Idempotent, in linear time, and the same on every machine.
 *
 * 1. White space at both ends is removed: what JavaScript's `trim` takes for it.
 * 2. Composed (NFC), then in upper case and back in lower case, so that ß is ss and all three sigmas are one.
 *    The dotless ı is an i.
 * 3. Composed again, because case mapping may take characters apart.
 */
export function canonicalText(text: string): string {
  const trimmed = text.trim();
  if (ASCII.test(trimmed)) return trimmed.toLowerCase();
  const composed = streamSafe(trimmed).normalize('NFC');
  // ẞ is the only letter whose upper case is not that of its lower case.
  const upper = (composed.includes('ẞ') ? composed.replaceAll('ẞ', 'ß') : composed).toUpperCase();
  const lower = upper.toLowerCase();
  // The last sigma of a word has a lower case of its own, but a part of a text may end anywhere.
  return (lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower).normalize('NFC');
}

/**
 * Returns the form in which names that are to be unique are compared (contract section 3): as texts are, and
 * without invisible characters.
 */
export function nameKey(name: string): string {
  return canonicalText(name.replace(INVISIBLE, ''));
}

/**
 * The order of the Unicode root collation (CLDR). `en` has no rules of its own, and every build of Node.js
 * with Intl has it, `small-icu` too. `und` would be the locale of the machine.
 */
const ROOT = new Intl.Collator('en', {
  usage: 'sort',
  sensitivity: 'variant',
  ignorePunctuation: false,
  numeric: false,
  caseFirst: 'false',
});

/**
 * Orders two canonical texts alphabetically, by the Unicode root collation: negative, zero or positive. Zero
 * only for equal texts: those that differ in what the collation ignores are ordered by code unit.
 */
export function compareCanonical(left: string, right: string): number {
  if (left === right) return 0;
  return ROOT.compare(left, right) || (left < right ? -1 : 1);
}

/**
 * Breaks up long runs of combining marks, which no language has: composition takes quadratic time for them.
 */
function streamSafe(text: string): string {
  return text.length > SHORT && mayHaveRun(text) ? text.replace(MARK_RUN, `$&${GRAPHEME_JOINER}`) : text;
}

/** Looks at few places, of which a long run has at least one. The odd step finds marks of two code units. */
function mayHaveRun(text: string): boolean {
  for (let place = 0; place < text.length; place += MOST_MARKS - 1) {
    if (MARK.test(text.charAt(place))) return true;
  }
  return false;
}
