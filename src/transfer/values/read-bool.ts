import { withoutInvisibleEnds } from '../../text/email-key.js';

/** With the words of spreadsheets in German, French, Italian, Spanish, Portuguese and Dutch. */
const TRUE = new Set(
  't true y yes on 1 wahr ja vrai oui vero si sí verdadero verdadeiro sim waar'.split(' '),
);
const FALSE = new Set('f false n no off 0 falsch nein faux non falso não onwaar nee'.split(' '));
const LONGEST = 'verdadeiro'.length;

/** Reads a boolean as spreadsheets, databases and people write it; undefined for another text. */
export function readBool(cell: string): boolean | undefined {
  const word = withoutInvisibleEnds(cell);
  if (word.length > LONGEST) return undefined;
  const lower = word.toLowerCase();
  return TRUE.has(lower) ? true : FALSE.has(lower) ? false : undefined;
}
