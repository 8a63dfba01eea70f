import { randomUUID } from 'node:crypto';
import { LongNumber } from '../../text/long-number.js';

/** As many digits as a double may lose. */
const MAY_BE_LONG = /[\d.]{16}/;
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const NUMBER = /[-+\d.eE]*/y;

/** Stands before the digits of a long number while the text is parsed. Nobody can know it. */
const MARK = `${randomUUID()}:`;

/**
 * Parses a JSON text. Plain decimals with more than 15 digits become a LongNumber, of which no digit is lost;
 * those with an exponent, and those beyond the largest double, become what JSON.parse makes of them.
 * @throws SyntaxError for a text that is no JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_LONG.test(text)) return value;
  const marked = withMarks(text);
  if (marked === text) return value;
  return JSON.parse(marked, (_key, each: unknown) =>
    typeof each === 'string' && each.startsWith(MARK) ? new LongNumber(each.slice(MARK.length)) : each,
  );
}

/** Replaces the long numbers of a text that is JSON by strings. */
function withMarks(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index);
    else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = index;
      const [number = ''] = NUMBER.exec(text) ?? [];
      if (isLong(number)) {
        parts.push(text.slice(done, index), `"${MARK}${number}"`);
        done = index + number.length;
      }
      index += number.length - 1;
    }
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

/** The place of the quote that ends the string that begins at a place. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  return end;
}

function isLong(number: string): boolean {
  const digits = number.replace(/^-?[0.]*/, '').replace('.', '').length;
  return digits > 15 && PLAIN.test(number) && Number.isFinite(Number(number));
}
