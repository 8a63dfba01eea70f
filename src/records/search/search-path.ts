import type { Directory } from '../../directory/index.js';
import type { Condition } from '../../engine/index.js';
import { textProblem } from '../../text/text-problem.js';
import { dateRange, EQUAL, namesOfUsers, operandsOf, ORDERS } from './condition-sql.js';
import { CHANGED_AT } from '../records.sql.js';
import { orderBy, type SortKey, type SortValue } from './search-order.js';
import { indexedAs, type SearchedField } from './searched-field.js';
import type { Composed, SqlValues } from './sql-values.js';

/** Where the index of a field has the keys of all records for which a condition holds. */
export interface KeyRange {
  readonly field: SearchedField;
  /** Conditions of SQL on the keys `k`; where they are keys, no two hold for one. */
  readonly ranges: readonly string[];
  /** Whether each of them is of one key, so that its records come in the order of their ids. */
  readonly areKeys: boolean;
}

/** The key of a value that is no number or instant. It is greater than that of an empty field. */
const NO_PLACE = `E'\\u0001'`;
/** The keys of records that have a place in the order of an index, and of those that have none. */
const PLACED = `k.key > ${NO_PLACE}`;
const UNPLACED: readonly string[] = [`k.key = ''`, `k.key = ${NO_PLACE}`];

/** The most digits of the key of a number. */
const MOST_DIGITS = 1_000;
/** No text is greater in the order of bytes. */
const GREATEST = `U&'\\+10FFFF'`;

/** Returns where an index has the records of a valid condition; undefined where it does not tell. */
export function keyRange(
  condition: Condition,
  field: SearchedField,
  { values, directory }: { readonly values: SqlValues; readonly directory: Directory },
): KeyRange | undefined {
  const { operator } = condition;
  const { index, comparison } = field;
  if (index === undefined) return undefined;
  const isEquality = EQUAL.has(operator);
  const isOrder = ORDERS.has(operator) && comparison !== 'text' && comparison !== 'user';
  const range = (ranges: readonly string[], areKeys = false): KeyRange => ({ field, ranges, areKeys });
  if (operator === 'is_empty' && index !== 'changed') return range([`k.key = ''`], true);
  if (!isEquality && !isOrder && (operator !== 'starts_with' || comparison !== 'text')) return undefined;
  const operands = operandsOf(condition, field);
  if (operands.some((operand) => textProblem(operand) !== undefined)) return undefined;
  if (index === 'changed')
    return range([dateRange(operator, operands, ['k.key', (at) => values.add(instantKey(at), 'text')])]);
  if (index === 'number' && operands.some(({ length }) => length > MOST_DIGITS)) return undefined;
  const names = comparison === 'user' ? namesOfUsers(operands, directory) : operands;
  const keys = names.map((name) => keyOf(name, field, values));
  const [first = '', second = ''] = keys;
  const others = index === 'text' ? [] : [`k.key = ${NO_PLACE}`];
  if (isEquality && keys.length === 1) return range([`k.key = ${first}`, ...others], true);
  if (isEquality) return range([`k.key = ANY (ARRAY[${keys.join(', ')}]::text[])`, ...others]);
  if (operator === 'starts_with') return range([`k.key >= ${first} AND k.key <= ${first} || ${GREATEST}`]);
  const until = (key: string): string => `${PLACED} AND k.key <= ${key}`;
  if (operator === 'between') return range([`k.key >= ${first} AND k.key <= ${second}`, ...others]);
  return range([operator.startsWith('g') ? `k.key >= ${first}` : until(first), ...others]);
}

/** SQL for the key of a value. */
const keyOf = (value: string, { index = 'text' }: SearchedField, values: SqlValues): string =>
  `index_key('${index}', ${values.add(value, 'text')})`;

/** The key of an instant in the index of the last change, which has microseconds. */
const instantKey = (at: Date): string =>
  at.getUTCFullYear() > 9999 ? '~' : at.toISOString().replace('Z', '000Z');

/** What the database says of indexes before a path is chosen. */
export interface Chances {
  /** The ids of the indexes that are ready, by field; null where there are none. */
  readonly ready: Readonly<Record<string, number>> | null;
  /** How many keys the range has, FEW or more for many; null where nobody has asked. */
  readonly found: number | null;
}

/** Records that a statement reads: `FROM` and `WHERE` for a table of records `r`, and their order. */
export interface Source {
  readonly from: string;
  readonly where: string;
  readonly orderBy: string;
}

/** What a path is chosen from. */
export interface PathParts {
  readonly archived: boolean;
  /** SQL for the ids of all records, where unique keys find them. */
  readonly ids: string | undefined;
  readonly keys: readonly [SortKey, ...SortKey[]];
  /** Where the index of a field has all records of the search. */
  readonly range: KeyRange | undefined;
  /** The field of the first key of the order, where it can have an index. */
  readonly ordered: SearchedField | undefined;
}

/** A place in the order; undefined for the first. */
type Place = readonly SortValue[] | undefined;

/** So many records are read and sorted in milliseconds. */
const FEW = 5_000;

const RECORDS = 'r.account_id = $1::uuid AND r.object_type = $2::text';

/** So that PostgreSQL reads the records one by one, in the order of the keys `k`, and not all of the type. */
const EACH = `CROSS JOIN LATERAL
        (SELECT * FROM records r WHERE ${RECORDS} AND r.id = k.record_id OFFSET 0) AS r`;

/** Indexes that are ready: a condition on their field follows. */
const READY = `record_indexes i WHERE i.account_id = $1::uuid AND i.object_type = $2::text AND i.is_ready
      AND i.dropped_at IS NULL AND i.field`;

/**
 * Chooses how the records of a search are found, by one rule (ADR 26): those of a key, or of a range with
 * few, by the index of the field; else all in the order of an index; else those of the range; else the table.
 */
export class SearchPath {
  constructor(
    private readonly values: SqlValues,
    private readonly parts: PathParts,
  ) {}

  /** The fields whose indexes are of use. */
  get fields(): readonly string[] {
    return [this.parts.range?.field, this.parts.ordered].flatMap((field) =>
      field === undefined ? [] : indexedAs(field),
    );
  }

  /** Returns the statement that finds the chances; undefined where the table is read whatever they are. */
  chances(): Composed | undefined {
    const { values, fields } = this;
    const { range } = this.parts;
    if (fields.length === 0) return undefined;
    const id = `(SELECT i.id FROM ${READY} = ${values.add(range === undefined ? '' : indexedAs(range.field), 'text')})`;
    const counted = this.isOwnOrder
      ? undefined
      : range?.ranges.map(
          (each) => `(SELECT count(*) FROM (SELECT FROM ${KEYS} WHERE ${isOf(id)} AND (${each})
        ORDER BY k.key LIMIT ${FEW}) AS few)::int`,
        );
    const found = counted?.join(' + ') ?? 'NULL';
    return values.compose(`SELECT ${found} AS found, (SELECT jsonb_object_agg(i.field, i.id)
      FROM ${READY} = ANY (${values.add(fields, 'text[]')})) AS ready`);
  }

  /** Returns what is read for a page, one after the other. */
  sources(chances: Chances | undefined, at: Place): readonly Source[] {
    const { range, ordered, keys } = this.parts;
    const byRange = this.indexOf(range?.field, chances);
    const byOrder = this.indexOf(ordered, chances);
    if (range !== undefined && byRange !== undefined) {
      const isFew = chances?.found !== null && Number(chances?.found) < FEW;
      if (this.isOwnOrder || isFew || (byOrder === undefined && !isById(keys)))
        return [this.ofKeys(range, byRange, { keys, at })];
    }
    if (ordered === undefined || byOrder === undefined) return [this.ofTable()];
    return this.inOrder(ordered, byOrder, {
      ranges: range?.field === ordered ? range.ranges : undefined,
      at,
    });
  }

  /** Returns what is read to count all. */
  all(chances: Chances | undefined): Source {
    const { range, keys } = this.parts;
    const id = this.indexOf(range?.field, chances);
    if (range === undefined || id === undefined) return this.ofTable();
    return this.ofKeys(range, id, { keys, at: undefined });
  }

  private get active(): string {
    return this.parts.archived ? '' : ' AND r.archived_at IS NULL';
  }

  /** Whether the range has its records in the order of the search. */
  private get isOwnOrder(): boolean {
    return isById(this.parts.keys) && this.parts.range?.areKeys === true;
  }

  /** SQL for the id of an index that is ready. */
  private indexOf(field: SearchedField | undefined, chances: Chances | undefined): string | undefined {
    const id = field === undefined ? undefined : chances?.ready?.[indexedAs(field)];
    return id === undefined ? undefined : this.values.add(id, 'int');
  }

  private ofTable(): Source {
    const { ids, keys } = this.parts;
    if (ids === undefined)
      return { from: 'records r', where: `${RECORDS}${this.active}`, orderBy: orderBy(keys) };
    const from = `(${ids}) AS k (record_id) ${EACH}`;
    return { from, where: 'r.archived_at IS NULL', orderBy: orderBy(keys) };
  }

  /** Records by their keys. In the order of ids, those of each key come in it, and PostgreSQL merges them. */
  private ofKeys(
    { ranges, areKeys, field }: KeyRange,
    id: string,
    { keys, at }: { readonly keys: PathParts['keys']; readonly at: Place },
  ): Source {
    // The filter itself says whether a record has the one key.
    const checked = areKeys && ranges.length === 1 ? undefined : field;
    if (!isById(keys) || !areKeys)
      return this.joined(checked, id, [`(${ranges.join(' OR ')})`, orderBy(keys)]);
    const [{ descending }] = keys;
    const after = at?.at(-1) ?? undefined;
    const sign = descending ? '<' : '>';
    const bound = after === undefined ? '' : ` AND k.record_id ${sign} ${this.values.add(after, 'uuid')}`;
    const order = `k.record_id${descending ? ' DESC' : ''}`;
    const branches = ranges.map(
      (range) =>
        `(SELECT k.key, k.record_id FROM ${KEYS} WHERE ${isOf(id)} AND ${range}${bound} ORDER BY ${order})`,
    );
    return this.joined(checked, `(${branches.join(' UNION ALL ')}) AS k`, ['true', order]);
  }

  /** Records in the order of an index: first those with a value, then the others. @param ranges of them */
  private inOrder(
    field: SearchedField,
    id: string,
    { ranges, at }: { readonly ranges: readonly string[] | undefined; readonly at: Place },
  ): readonly Source[] {
    const [{ descending, isNullable }, next, ...others] = this.parts.keys;
    if (next === undefined) return [this.ofTable()];
    const isBehind = at?.[0] === null;
    const placed = ranges?.filter((range) => !UNPLACED.includes(range)) ?? ['true'];
    const rest = isNullable ? UNPLACED.filter((range) => ranges?.includes(range) !== false) : [];
    const bound = at === undefined ? 'true' : this.boundOf(at, field);
    const test = `${PLACED} AND (${placed.join(' OR ')}) AND ${bound}`;
    const byNext = orderBy([next, ...others]).replace('r.id', 'k.record_id');
    const order = `k.key${descending ? ' DESC' : ''}, ${byNext}`;
    const behind = { keys: [next, ...others], at: isBehind ? at : undefined } as const;
    return [
      ...(isBehind || placed.length === 0 ? [] : [this.joined(field, id, [test, order])]),
      ...(rest.length === 0 ? [] : [this.ofKeys({ field, ranges: rest, areKeys: true }, id, behind)]),
    ];
  }

  /** A bound for the keys behind a place, where the index is begun. It may let pass some before the place. */
  private boundOf([value = null, next = null]: readonly SortValue[], field: SearchedField): string {
    if (value === null) return 'true';
    const { values } = this;
    const [{ descending }, second] = this.parts.keys;
    const key =
      field.index === 'changed'
        ? `record_key('changed', NULL, ${values.add(value, 'timestamptz')})`
        : keyOf(value, field, values);
    if (descending) return `k.key <= ${key}`;
    return second !== undefined && isById([second]) && !second.descending
      ? `(k.key, k.record_id) > (${key}, ${values.add(next, 'uuid')})`
      : `k.key >= ${key}`;
  }

  /**
   * Records by keys. @param field that whose value their key must be; undefined for any key
   * @param keys SQL for a table `k` of keys, or for the id of an index
   */
  private joined(
    field: SearchedField | undefined,
    keys: string,
    [where, order]: readonly [where: string, order: string],
  ): Source {
    const isTable = keys.startsWith('(');
    const name = this.values.add(field?.name ?? '', 'text');
    const key = `record_key('${field?.index ?? 'text'}', r.fields ->> ${name}, ${CHANGED_AT})`;
    const isPresent = field === undefined ? 'true' : `k.key = ${key}`;
    return {
      from: `${isTable ? keys : KEYS} ${EACH}`,
      where: `${isTable ? 'true' : isOf(keys)} AND ${where}${this.active} AND ${isPresent}`,
      orderBy: order,
    };
  }
}

/** Whether an order is that of the ids. */
const isById = ([first, ...others]: readonly SortKey[]): boolean =>
  first?.type === 'uuid' && others.length === 0;

const KEYS = 'record_index_keys k';

/** Whether a key is of an index. @param id SQL of its id */
const isOf = (id: string): string => `k.account_id = $1::uuid AND k.index_id = ${id}`;
