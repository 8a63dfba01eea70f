import { invalidField } from '../errors/errors.js';

const BYTES = 16;

/** Returns the opaque text that stands for the place behind a row. @param id that of the row, a UUID */
export function cursorBehind(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Returns the opaque form of the text of a place. */
export function cursorOfText(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Returns the text of a place; undefined for what is no cursor. @param most the most characters of one */
export function textOfCursor(cursor: string, most: number): string | undefined {
  if (cursor.length > most) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  // The decoders skip or replace what they do not know, so only what they would write themselves is taken.
  return cursorOfText(text) === cursor ? text : undefined;
}

/** The end of a refusal of what is no cursor; the sentence starts with the name of the parameter. */
export const NO_CURSOR = 'must be the next of another page of this list';
/** The end of a refusal of a cursor that comes with an offset. */
export const NO_OFFSET = 'cannot be sent together with an offset';

/** Returns the id of the row that a cursor stands behind; undefined for a text that is no cursor. */
export function idOfCursor(cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder skips what it does not know, so only what it would write itself is taken.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== cursor) return undefined;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Returns the id of the row behind which a page starts; undefined for a page that starts at an offset.
 * @throws DomainError 400 for what is no cursor, and for a cursor together with an offset
 */
export function pageStart(after: string | undefined, offset: number): string | undefined {
  if (after === undefined) return undefined;
  if (offset > 0) throw invalidField('after', `after ${NO_OFFSET}`);
  const id = idOfCursor(after);
  if (id === undefined) throw invalidField('after', `after ${NO_CURSOR}`);
  return id;
}
