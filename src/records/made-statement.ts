import type { Statement } from '../database/index.js';

const made = new Map<string, Statement>();

/**
 * Returns the statement of that name, whose text is made once: the driver compares it at each use.
 * @param name of one text only
 */
export function madeStatement(
  name: string,
  text: () => string,
  options: Pick<Statement, 'isBrief'> = {},
): Statement {
  const known = made.get(name) ?? { ...options, name, text: text() };
  made.set(name, known);
  return known;
}
