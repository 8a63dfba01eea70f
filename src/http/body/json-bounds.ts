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
