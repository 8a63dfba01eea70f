import { isId } from '../../database/index.js';
import { cursorOfText, textOfCursor } from '../../paging/index.js';
import { textProblem } from '../../text/text-problem.js';
import type { SortKey, SortValue } from './search-order.js';

/** The most characters of a cursor: three values of 256 characters, or of 1,000 digits, and the sort. */
export const MOST_CURSOR = 16_384;

/** What values of a cursor look like. */
const FORMS: Readonly<Record<SortKey['type'], (value: string) => boolean>> = {
  text: (value) => textProblem(value) === undefined,
  numeric: (value) => /^-?\d{1,1000}(\.\d{1,1000})?$/.test(value),
  integer: (value) => /^\d{1,9}$/.test(value),
  timestamptz: isInstant,
  uuid: isId,
};

const INSTANT =
  /^(?!0000)(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2}$/;

/** Whether PostgreSQL reads a text as an instant, in the form in which it writes them. */
function isInstant(value: string): boolean {
  const [, day, time] = INSTANT.exec(value) ?? [];
  const iso = `${day}T${time}.000Z`;
  const at = new Date(iso);
  // The 31st of April is the 1st of May for a Date, and an error for PostgreSQL.
  return !Number.isNaN(at.getTime()) && at.toISOString() === iso;
}

/** Returns the opaque text of a place. @param order the object type and the sort in which it is a place */
export function searchCursor(order: string, at: readonly SortValue[]): string {
  return cursorOfText(JSON.stringify([order, ...at]));
}

/** Returns the values of the keys at a place; undefined for what is no cursor of that order. */
export function readSearchCursor(
  cursor: string,
  order: string,
  keys: readonly SortKey[],
): readonly SortValue[] | undefined {
  const at = listIn(textOfCursor(cursor, MOST_CURSOR) ?? '');
  if (at?.[0] !== order || at.length !== keys.length + 1) return undefined;
  const values = at.slice(1);
  const isPlace = keys.every(({ type, isNullable }, index) => {
    const value = values[index];
    return typeof value === 'string' ? FORMS[type](value) : value === null && isNullable;
  });
  return isPlace ? (values as SortValue[]) : undefined;
}

function listIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
