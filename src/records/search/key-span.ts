import type { Condition } from '../../engine/index.js';
import { namesOfUsers } from '../../directory/index.js';
import { canonicalText } from '../../text/canonical-text.js';
import { textProblem } from '../../text/text-problem.js';
import type { IndexKind } from '../indexes/record-index.entity.js';
import { UNKNOWN_TEXT, type KeySpan } from './condition.js';
import { emailIn } from './narrowing.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** The key of an empty field. */
export const NO_KEY = `k.key = ''`;
/** That of a value whose place PostgreSQL does not know. It is less than those of values. */
export const UNKNOWN_KEY = `k.key = E'\\u0001'`;
/** The keys of values. */
export const KNOWN_KEY = `k.key > E'\\u0001'`;

/** No key. A span has a range of it where its conditions contradict each other. */
const IMPOSSIBLE = 'false';

/** The most characters of the key of a text, and of a number. */
const MOST_CHARACTERS = 256;
const MOST_DIGITS = 1_000;
const PLAIN_NUMBER = /^[+-]?[0-9]+([.][0-9]+)?$/;
/** No text is greater in the order of bytes. */
const GREATEST = '\u{10FFFF}';

/** What the spans of a condition are made of. */
interface SpanParts {
  readonly operands: readonly string[];
  readonly field: SearchedField;
  readonly values: SqlValues;
}

/** Returns the span of a condition; undefined where there is none. @param operands in stored form */
export function keySpan({ operator }: Condition, parts: SpanParts): KeySpan | undefined {
  const { field, operands } = parts;
  const { index } = field;
  if (index === undefined || operands.some((operand) => textProblem(operand) !== undefined)) return undefined;
  if (index === 'changed') return undefined;
  if (operator === 'starts_with') return prefixSpan(parts);
  if (index === 'number' && !operands.every(isKeyed)) return undefined;
  if (operator === 'eq' || operator === 'in') return equalitySpan(parts, index);
  const [first = '', second = ''] = operands;
  if (index === 'text') return undefined;
  const at = (operand: string): string => keyOf(operand, index, parts.values);
  const ranges: Readonly<Record<string, string>> = {
    gt: `k.key >= ${at(first)}`,
    gte: `k.key >= ${at(first)}`,
    lt: `${KNOWN_KEY} AND k.key <= ${at(first)}`,
    lte: `${KNOWN_KEY} AND k.key <= ${at(first)}`,
    between: `k.key >= ${at(first)} AND k.key <= ${at(second)}`,
  };
  const range = ranges[operator];
  return range === undefined
    ? undefined
    : { field: field.name, ranges: [range, UNKNOWN_KEY], areKeys: false };
}

/** Returns the span of the records that have no value in a field. */
export function emptySpan({ name, index }: SearchedField): KeySpan | undefined {
  if (index === undefined || index === 'changed') return undefined;
  return { field: name, ranges: [NO_KEY], areKeys: true };
}

/** SQL for the key of an operand. */
export function keyOf(operand: string, kind: IndexKind, values: SqlValues): string {
  const given = values.add(kind === 'text' ? textKey(operand) : operand, 'text');
  return kind === 'number' ? `index_key('number', ${given})` : given;
}

function equalitySpan({ operands, field, values }: SpanParts, kind: IndexKind): KeySpan {
  if (field.handle.definition.type === 'user') {
    const texts = operands.map(canonicalText);
    const like = values.add([...texts, UNKNOWN_TEXT], 'text[]');
    const names = namesOfUsers('$1', emailIn(values.add(texts, 'text[]'), like));
    const spelled = values.add([...texts.map(textKey), UNKNOWN_TEXT], 'text[]');
    const range = `k.key = ANY (ARRAY(SELECT index_key('text', n.name) FROM (${names}) AS n (name)) || ${spelled})`;
    return { field: field.name, ranges: [range], areKeys: false };
  }
  // What is spelled like the key of unknown values is among these.
  const keyed = [...new Set(operands)].filter(
    (operand) => kind !== 'text' || textKey(operand) !== UNKNOWN_TEXT,
  );
  const keys = keyed.map((operand) => keyOf(operand, kind, values));
  const range = keys.length === 1 ? `k.key = ${keys[0] ?? ''}` : `k.key IN (${keys.join(', ')})`;
  const ranges = keys.length === 0 ? [UNKNOWN_KEY] : [range, UNKNOWN_KEY];
  return { field: field.name, ranges, areKeys: keys.length <= 1 };
}

function prefixSpan({ operands, field, values }: SpanParts): KeySpan | undefined {
  const prefix = canonicalText(operands[0] ?? '');
  const isKey = field.index === 'text' && field.handle.definition.type !== 'user';
  const isWhole = textKey(prefix) === prefix && !prefix.startsWith(UNKNOWN_TEXT);
  if (!isKey || prefix === '' || !isWhole) return undefined;
  const [from, until] = [values.add(prefix, 'text'), values.add(prefix + GREATEST, 'text')];
  return {
    field: field.name,
    ranges: [`k.key >= ${from} AND k.key <= ${until}`, UNKNOWN_KEY],
    areKeys: false,
  };
}

/** Whether PostgreSQL makes a key of a number. */
const isKeyed = (operand: string): boolean => operand.length <= MOST_DIGITS && PLAIN_NUMBER.test(operand);

const textKey = (text: string): string => Array.from(canonicalText(text)).slice(0, MOST_CHARACTERS).join('');

/** Returns the spans of the fields of conditions that all hold: one for each field. */
export function intersection(spans: readonly KeySpan[]): readonly KeySpan[] {
  const byField = new Map<string, KeySpan[]>();
  for (const span of spans) byField.set(span.field, [...(byField.get(span.field) ?? []), span]);
  return [...byField].flatMap(([field, [first, ...others]]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const all = [first, ...others];
    const values = all.map(({ ranges }) => ranges.filter((range) => !isNoValue(range)).join(' OR '));
    const none = first.ranges.filter(
      (range) => isNoValue(range) && others.every(({ ranges }) => ranges.includes(range)),
    );
    const both = values.includes('') ? [] : [values.map((range) => `(${range})`).join(' AND ')];
    const ranges = [...both, ...none];
    return { field, ranges: ranges.length === 0 ? [IMPOSSIBLE] : ranges, areKeys: false };
  });
}

/** Whether a range is that of records without a value, or with one whose place is not known. */
export const isNoValue = (range: string): boolean => range === NO_KEY || range === UNKNOWN_KEY;
