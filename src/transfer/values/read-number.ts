import { withoutInvisibleEnds } from '../../text/email-key.js';

/** What stands before the fraction of a number. */
export type DecimalMark = ',' | '.';

/** Not any three letters: `12 MIO` is no currency, but twelve millions. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const SYMBOL = /^[A-Z]{0,3}\p{Sc}$/u;
const SIGN = /^[+\-\u2212]|[+\-\u2212]$/;

/** What separates groups of digits beside the other mark: spaces that are not seen to break, apostrophes. */
const GROUPED_BY = new Set([' ', '\u00a0', '\u2007', '\u2009', '\u202f', "'", '\u2019']);

/**
 * Reads a number as people and spreadsheets write it, with a mark that is known: `$12,400.00`,
 * `EUR 1.230,99`, `1 000`, `1,23,456`, `(12.00)` for what is owed. Returns a plain decimal; undefined for
 * what may mean something else, such as `1,23`, `0,123` or `85%` where the mark is a point. In linear time.
 */
export function readNumber(cell: string, mark: DecimalMark): string | undefined {
  const text = withoutInvisibleEnds(cell);
  const start = text.search(/[\d.,]/);
  let end = text.length;
  while (end > start && !isDigit(text.charAt(end - 1))) end--;
  if (start < 0 || end <= start) return undefined;
  const sign = signOf(text.slice(0, start), text.slice(end));
  const size = sizeOf(text.slice(start, end), mark);
  return sign === undefined || size === undefined ? undefined : `${sign}${size}`;
}

/** The sign that the text around the digits has; undefined where that is no sign, bracket or currency. */
function signOf(before: string, after: string): '' | '-' | undefined {
  const [left, right] = [before.replace(/\s/g, ''), after.replace(/\s/g, '')];
  const isOwed = left.includes('(') && right.includes(')');
  const currency = isOwed ? left.replace('(', '') : left.replace(SIGN, '');
  const behind = isOwed ? right.replace(')', '') : right;
  if ((currency !== '' && behind !== '') || !isCurrency(currency + behind)) return undefined;
  return isOwed || /[-\u2212]/.test(left) ? '-' : '';
}

function isCurrency(text: string): boolean {
  return text === '' || CURRENCIES.has(text) || (text.length <= 5 && SYMBOL.test(text));
}

function sizeOf(digits: string, mark: DecimalMark): string | undefined {
  const at = digits.indexOf(mark);
  const whole = at < 0 ? digits : digits.slice(0, at);
  const fraction = at < 0 ? '' : digits.slice(at + 1);
  const joined = at === 0 ? '0' : ungrouped(whole, mark);
  if (joined === undefined || (at >= 0 && !/^\d+$/.test(fraction))) return undefined;
  return at < 0 ? joined : `${joined}.${fraction}`;
}

/** The digits without what separates their groups, which must be of three each, or as in India. */
function ungrouped(whole: string, mark: DecimalMark): string | undefined {
  if (/^\d+$/.test(whole)) return whole;
  const separator = /\D/.exec(whole)?.[0] ?? '';
  if (!GROUPED_BY.has(separator) && separator !== (mark === '.' ? ',' : '.')) return undefined;
  const [first = '', ...others] = whole.split(separator);
  const last = others.pop() ?? '';
  // A number with a zero before its first separator is a fraction with another mark.
  if (!/^[1-9]\d{0,2}$/.test(first) || !/^\d{3}$/.test(last)) return undefined;
  const isIndian = separator === ',' && first.length < 3 && others.length > 0;
  const isWell = others.every((group) => /^\d{3}$/.test(group));
  if (!isWell && !(isIndian && others.every((group) => /^\d\d$/.test(group)))) return undefined;
  return [first, ...others, last].join('');
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
