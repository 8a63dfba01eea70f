// Knows which statement a message of a client runs.
import { readText } from './message-reader.mjs';

/** The prepared statements of one connection. */
export class Statements {
  #texts = new Map();

  /** @returns the text of the statement that a message runs: Query, or Bind; undefined for other messages */
  textOf({ type, body }) {
    if (type === 'Q') return readText(body).text;
    if (type === 'P') {
      const { text: name, next } = readText(body);
      this.#texts.set(name, readText(body, next).text);
    }
    if (type !== 'B') return undefined;
    const { next } = readText(body);
    return this.#texts.get(readText(body, next).text);
  }
}

/** What a statement does, by its text. */
export const STATEMENTS = {
  create: /INSERT INTO records/,
  patch: /UPDATE records r\s+SET fields/,
  delete: /UPDATE records r\s+SET archived_at/,
  dispatch: /INSERT INTO assignments/,
  commit: /^\s*COMMIT/i,
};

/** Returns whether a text is of that kind. A dispatch writes records too. */
export function isKind(kind, text) {
  if (text === undefined) return false;
  if (kind !== 'dispatch' && kind !== 'commit' && STATEMENTS.dispatch.test(text)) return false;
  return STATEMENTS[kind].test(text);
}
