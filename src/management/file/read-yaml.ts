import { load, YAMLException } from 'js-yaml';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { FieldError } from '../../errors/domain-error.js';
import { ConfigurationFileError } from './configuration-file.error.js';
import { filePlaces, type PlaceOf } from './file-places.js';
import { yamlFailures } from './yaml-failures.js';

/** Values for each character of a text, beyond which its aliases repeat too much. */
const MOST_VALUES = 10;

/** Without what takes yaml time in proportion to the square of a file (yamlFailures does it instead). */
const PLAIN = { uniqueKeys: false, prettyErrors: false } as const;

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
      placeOf = filePlaces(parseDocument(text, { ...PLAIN, lineCounter }).contents, lineCounter);
    }
    return placeOf(path);
  };
}

/** @returns null for an empty text @throws ConfigurationFileError */
function explain(text: string, error: Error): null {
  const { document, failures } = parsed(text) ?? {};
  if (failures?.length === 0 && document?.contents === null) return null;
  // The parser collects its own overflow.
  const isTooDeep = failures?.some(({ message }) => message.startsWith('Maximum call stack')) ?? true;
  if (isTooDeep) throw refusal(TOO_DEEP);
  if (failures !== undefined && failures.length > 0) throw new ConfigurationFileError(failures);
  if (!(error instanceof YAMLException) || error.reason.includes('maxDepth')) throw refusal(TOO_DEEP);
  const { reason, mark } = error;
  if (mark === undefined) throw refusal(reason);
  const [line, column] = [mark.line + 1, mark.column + 1];
  const message = `${reason} at line ${line}, column ${column}`;
  throw new ConfigurationFileError([{ line, column, message }]);
}

/** Returns undefined for a text that nests too deep for the parser. */
function parsed(text: string): { document: Document.Parsed; failures: FieldError[] } | undefined {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(text, { ...PLAIN, lineCounter });
    return { document, failures: yamlFailures({ text, document, lineCounter }) };
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
