import { Raw, type FindOperator } from 'typeorm';

/** What stands between words: neither letters nor digits, nor the marks on them. */
const BETWEEN = /[\p{Z}\p{P}\p{S}\p{C}]+/u;
const BETWEEN_SQL = '[^[:alnum:]]';

/** Those of the invisible characters that texts do have, which names are compared without. */
const INVISIBLE = '\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff';

/**
 * A condition of a column: its text, or a word of it, begins with a text, as names are compared. Words end at
 * what is neither letter nor digit, in both texts. Its cost is in proportion to the text of the column.
 * @param text as `nameKey` returns it
 */
export function beginsWith(text: string): FindOperator<string> {
  const words = text.split(BETWEEN);
  if (words[0] === '') words.shift();
  // Nothing of a word is left that could be special in a regular expression.
  const pattern = `(^|${BETWEEN_SQL})${words.join(`${BETWEEN_SQL}+`)}`;
  const compared = (column: string): string => `search_text(translate(${column}, '${INVISIBLE}', ''))`;
  const condition = (column: string): string => `${compared(column)} COLLATE root_order ~ :pattern`;
  const isEmpty = words.every((word) => word === '');
  return (isEmpty ? Raw(() => 'false') : Raw(condition, { pattern })) as FindOperator<string>;
}
