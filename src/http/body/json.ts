import { randomUUID } from 'node:crypto';
import { LongNumber } from '../../text/long-number.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Most levels of arrays and objects in a JSON body. */
export const MAX_DEPTH = 32;

/** Most keys of one object. Objects with many keys are slow to build, and libraries are slow to walk them. */
export const MAX_KEYS = 1_000;

/** Most values of a body: elements of arrays and values of objects, at all levels together. */
export const MAX_VALUES = 50_000;

/**
 * Says which bound a JSON text exceeds, as a sentence, or undefined. It works on the bytes, before the text
 * is parsed, in linear time, and stops at the first excess. Brackets, commas and colons inside strings do not
 * count. A text that is no JSON has some answer.
 */
export function exceededBound(text: Uint8Array): string | undefined {
  /** Keys of the open object of each level. */
  const keys = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    if (inString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inString = false;
      continue;
    }
    switch (byte) {
      case QUOTE:
        inString = true;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_DEPTH) {
          return `The body nests arrays and objects more than ${MAX_DEPTH} levels deep`;
        }
        keys[depth] = 0;
        values++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth > 0) depth--;
        break;
      case COLON:
        keys[depth] = (keys[depth] ?? 0) + 1;
        if ((keys[depth] ?? 0) > MAX_KEYS) return `The body has an object with more than ${MAX_KEYS} keys`;
        break;
      case COMMA:
        values++;
        break;
    }
    if (values > MAX_VALUES) return `The body has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

/** As many digits as a double may lose. */
const MAY_BE_LONG = /[\d.]{16}/;
const PLAIN = /^-?\d+(?:\.\d+)?$/;
/** What is escaped in a string, a quote at the end of one, and a number. */
const TOKEN = /(?:\\.)+|"|[-\d][-+\d.eE]*/g;

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
  let inString = false;
  return text.replace(TOKEN, (token) => {
    if (token === '"') inString = !inString;
    return inString || !isLong(token) ? token : `"${MARK}${token}"`;
  });
}

function isLong(number: string): boolean {
  const digits = number.replace(/^-?[0.]*/, '').replace('.', '').length;
  return digits > 15 && PLAIN.test(number) && Number.isFinite(Number(number));
}
