import { load, YAMLException } from 'js-yaml';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigurationFileError } from './configuration-file.error.js';
import { filePlaces, type PlaceOf } from './file-places.js';

/** Values for each character of a text, beyond which its aliases repeat too much. */
const MOST_VALUES = 10;

const TOO_DEEP = 'The file nests lists and objects too deep';

/**
 * Reads YAML; JSON is YAML. A text without failures is read by js-yaml, which needs a tenth of the time, and
 * other texts again by yaml, which names all failures and their places.
 * @returns what the text contains, without cycles; null for an empty text
 * @throws ConfigurationFileError with the place of each failure
 */
export function readYaml(text: string): unknown {
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    // Too deep a value can be a RangeError.
    if (!(error instanceof YAMLException) && !(error instanceof RangeError)) throw error;
    return explain(text, error);
  }
  requireSmall(value, text.length * MOST_VALUES);
  return value;
}

/** Returns a function that finds the places of the keys of a YAML text, which it reads when first asked. */
export function placesOf(text: string): PlaceOf {
  let placeOf: PlaceOf | undefined;
  return (path) => {
    if (placeOf === undefined) {
      const lineCounter = new LineCounter();
      placeOf = filePlaces(parseDocument(text, { lineCounter }).contents, lineCounter);
    }
    return placeOf(path);
  };
}

/** @returns null for an empty text @throws ConfigurationFileError */
function explain(text: string, error: Error): null {
  const document = parsed(text);
  if (document?.errors.length === 0 && document.contents === null) return null;
  // The parser collects its own overflow.
  const isTooDeep = document?.errors.some(({ message }) => message.startsWith('Maximum call stack')) ?? true;
  if (isTooDeep) throw refusal(TOO_DEEP);
  if (document !== undefined && document.errors.length > 0) {
    throw new ConfigurationFileError(
      document.errors.map(({ message, linePos: [{ line, col }] = [{ line: 1, col: 1 }] }) => ({
        line,
        column: col,
        message: message.trim(),
      })),
    );
  }
  if (!(error instanceof YAMLException) || error.reason.includes('maxDepth')) throw refusal(TOO_DEEP);
  const { reason, mark } = error;
  if (mark === undefined) throw refusal(reason);
  const [line, column] = [mark.line + 1, mark.column + 1];
  const message = `${reason} at line ${line}, column ${column}`;
  throw new ConfigurationFileError([{ line, column, message }]);
}

/** Returns undefined for a text that nests too deep for the parser. */
function parsed(text: string): ReturnType<typeof parseDocument> | undefined {
  try {
    return parseDocument(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws ConfigurationFileError for a value with a cycle, or with more parts than `most` */
function requireSmall(value: unknown, most: number): void {
  const around = new Set<unknown>();
  let count = 0;
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (around.has(part)) throw refusal('An alias must not lead back to where it stands');
    around.add(part);
    for (const child of Object.values(part)) {
      if (++count > most) throw refusal('The aliases of the file repeat too much of it');
      visit(child);
    }
    around.delete(part);
  };
  visit(value);
}

const refusal = (message: string): ConfigurationFileError => new ConfigurationFileError([{ message }]);
