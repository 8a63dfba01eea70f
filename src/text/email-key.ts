import { asciiHost } from './canonical-host.js';
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
 * Returns the form in which an e-mail address is compared as a key (contract section 3): that in which it is
 * stored, with its domain in ASCII and without final dots. What has no such form is compared as it is stored.
 * Idempotent, in linear time.
 */
export function emailKey(text: string): string {
  const email = normalizeEmail(text);
  const at = email.lastIndexOf('@') + 1;
  if (at === 0) return email;
  const written = email.slice(at);
  const domain = asciiHost(written) ?? written;
  let end = domain.length;
  while (end > 0 && domain[end - 1] === '.') end--;
  return `${email.slice(0, at)}${domain.slice(0, end)}`;
}

/** Returns a text without white space and invisible characters at its ends. */
export function withoutInvisibleEnds(text: string): string {
  return INSIDE.exec(text)?.[1] ?? '';
}
