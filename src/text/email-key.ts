import { asciiDomain } from './canonical-host.js';
import { INVISIBLE } from './canonical-text.js';

/** All between the ends. Its second part runs to the end and comes back, which is linear. */
const INSIDE = /^[\s\p{Cf}]*(.*[^\s\p{Cf}])?/su;
const PLAIN = /^[\x21-\x7e]*$/;

/** More than any key has. Composition takes quadratic time for long runs of marks. */
const MOST_COMPOSED = 2_000;

/**
 * Returns the spelling in which an e-mail address is stored (contract section 3): trimmed, in lower case and
 * NFC, without invisible characters. Idempotent, in linear time. Accepts any text; a UUID keeps its meaning.
 */
export function normalizeEmail(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const lower = text.replace(INVISIBLE, '').trim().toLowerCase();
  return lower.length > MOST_COMPOSED ? lower : lower.normalize('NFC');
}

/**
 * Returns the key of a normalized e-mail address: two addresses with one key are the same. The domain is in
 * its ASCII form, without a final dot.
 */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (at === 0 || domain === '') return email;
  return email.slice(0, at) + (asciiDomain(domain) ?? domain).replace(/\.$/, '');
}

/** Returns a text without white space and invisible characters at its ends. */
export function withoutInvisibleEnds(text: string): string {
  return INSIDE.exec(text)?.[1] ?? '';
}
