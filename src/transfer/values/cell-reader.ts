import { isPlainDecimal, type FieldDefinition } from '../../fields/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { withoutInvisibleEnds } from '../../text/email-key.js';
import { parseInstant } from '../../time/parse-instant.js';
import { CellProblem } from '../rows/source-row.js';
import type { DateReader } from './date-reader.js';
import type { OwnerNames } from './owner-names.js';
import { readNumber, type DecimalMark } from './read-number.js';

/** How the cells of a file are written, as far as that is known. */
export interface CellRules {
  /** Undefined: numbers are plain decimals, as in requests. */
  readonly decimal?: DecimalMark | undefined;
  /** Undefined: dates are those of requests, and what has no offset is of UTC. */
  readonly dates?: DateReader | undefined;
  /** Undefined: users are named as in requests. */
  readonly owners?: OwnerNames | undefined;
}

/** Turns what a file has for one field into a value as in a request body, or says why it cannot be one. */
export interface ValueReader {
  /** @param cell not blank */
  readonly cell: (cell: string) => unknown;
  /** A value of JSON stays what it is, as far as JSON can say it. */
  readonly json: (value: unknown) => unknown;
}

const trimmed = withoutInvisibleEnds;
const same = <T>(value: T): T => value;

/** Returns the reader of a field. @param key that the values of a reference are; undefined: they say it */
export function readerOf(field: FieldDefinition, rules: CellRules, key?: string): ValueReader {
  const { decimal, dates, owners } = rules;
  /** Of a type that JSON has, or of which its texts are those of requests. */
  const reader = (read: (cell: string) => unknown, accepted: string): ValueReader => ({
    cell: (cell) => read(cell) ?? new CellProblem(`${field.internalName} must be ${accepted}`),
    json: same,
  });
  switch (field.type) {
    case 'bool':
      return reader(readBool, 'TRUE or FALSE, yes or no, on or off, 1 or 0');
    case 'number': {
      if (decimal === undefined)
        return reader(
          plainNumber,
          'a plain decimal such as -12.50 (--decimal reads groups of digits and currencies)',
        );
      const accepted = `a number such as ${decimal === '.' ? '1,234.50' : '1.234,50'} (--decimal ${decimal})`;
      return reader((cell) => readNumber(cell, decimal), accepted);
    }
    case 'datetime':
      return dates === undefined
        ? reader(knownDate, 'a date of ISO 8601 or RFC 2822 (--date-format reads others)')
        : reader((cell) => dates.read(cell), dates.accepted);
    case 'user': {
      const cell = (text: string): unknown => owners?.read(text, field) ?? trimmed(text);
      return { cell, json: (value) => (typeof value === 'string' ? cell(value) : value) };
    }
    case 'reference':
      return referenceReader(key);
    case 'enumeration':
      return { cell: trimmed, json: asText };
    default:
      // Keys lose spaces at their ends where they are stored; other texts have what they have.
      return { cell: same, json: same };
  }
}

/** With the words of spreadsheets in German, French, Italian, Spanish, Portuguese and Dutch. */
const TRUE = new Set(
  't true y yes on 1 wahr ja vrai oui vero si sí verdadero verdadeiro sim waar'.split(' '),
);
const FALSE = new Set('f false n no off 0 falsch nein faux non falso não onwaar nee'.split(' '));

/** Reads a boolean as spreadsheets, databases and people write it; undefined for another text. */
export function readBool(cell: string): boolean | undefined {
  const word = trimmed(cell).toLowerCase();
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
}

function plainNumber(cell: string): string | undefined {
  const text = trimmed(cell);
  return isPlainDecimal(text) ? text : undefined;
}

function knownDate(cell: string): string | undefined {
  const text = trimmed(cell);
  return parseInstant(text) === undefined ? undefined : text;
}

function referenceReader(key: string | undefined): ValueReader {
  if (key === undefined) return { cell: (cell) => objectIn(cell) ?? trimmed(cell), json: same };
  const named = (value: unknown): unknown => (key === 'id' ? value : { [key]: value });
  return {
    cell: (cell) => named(trimmed(cell)),
    json: (value) =>
      value === null || (typeof value === 'string' && value.trim() === '') ? null : named(value),
  };
}

/** The object that a cell is as JSON, such as `{"external_id": "x"}`. */
function objectIn(cell: string): unknown {
  if (!cell.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The name of an option may be a number. */
function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
