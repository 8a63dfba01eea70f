import type { AccountContext } from '../../accounts/index.js';
import type { Directory } from '../../directory/index.js';
import type { FieldLookup, Trigger, TriggerOperator } from '../../engine/index.js';
import type { FieldTypeRegistry, ObjectType } from '../../fields/index.js';
import { conditionSql, EQUAL, idsByKey } from './condition-sql.js';
import { UPDATED_AT } from '../indexes/record-indexes.repository.js';
import { behind, sortKeys, type SortKey, type SortName, type SortValue } from './search-order.js';
import { keyRange, SearchPath, type Chances, type KeyRange, type Source } from './search-path.js';
import { searchedField, type SearchedField } from './searched-field.js';
import { SqlValues, type Composed } from './sql-values.js';

/** What records a search finds, and in which order. */
export interface SearchQuery {
  readonly objectType: ObjectType;
  /** Whether archived records are found too. */
  readonly archived: boolean;
  readonly filter: Trigger;
  readonly sort: readonly SortName[];
}

/** What searches are compiled with. */
export interface SearchParts {
  readonly fields: FieldLookup;
  readonly types: FieldTypeRegistry;
  readonly directory: Directory;
  readonly operators: readonly TriggerOperator[];
}

/** A search as SQL. Each statement is made of the same parts, so all of them find the same records. */
export class CompiledSearch {
  private readonly values: SqlValues;
  private readonly used = new Map<string, SearchedField>();
  /** True for the records that match, and false for others. */
  private readonly filter: string;
  /** Where the records are read. */
  readonly path: SearchPath;
  readonly keys: readonly [SortKey, ...SortKey[]];

  constructor(
    { accountId }: AccountContext,
    readonly query: SearchQuery,
    private readonly parts: SearchParts,
  ) {
    const { objectType, archived, filter, sort } = query;
    const values = (this.values = new SqlValues(accountId, objectType));
    const operators = new Map(parts.operators.map((operator) => [operator.id, operator]));
    const groups = filter.groups.map(({ conditions }) =>
      conditions.map((condition) => {
        const field = this.field(condition.field);
        const sql = conditionSql(condition, field, { values, operators, directory: parts.directory });
        const column = EQUAL.has(condition.operator) ? field.column : undefined;
        const range = keyRange(condition, field, { values, directory: parts.directory });
        return { sql, column, range, ids: idsByKey(condition, field, { values }) };
      }),
    );
    const isAll = groups.length === 0 || groups.some((conditions) => conditions.length === 0);
    const anyOf = groups.map((conditions) => `(${conditions.map(({ sql }) => sql).join(' AND ')})`);
    this.filter = isAll ? 'true' : `(${anyOf.join(' OR ')})`;
    this.keys = sortKeys(sort, (name) => this.field(name), values);
    const ids = groups.map((group) => group.find((each) => each.ids)?.ids);
    // Of several columns that are no keys, PostgreSQL chooses the indexes.
    const columns =
      isAll || archived ? [undefined] : groups.map((group) => group.find(({ column }) => column)?.column);
    const isOfTable = !columns.includes(undefined);
    // Archived records are in no index of keys, and in that of `updated_at` alone.
    const isHelpful = ({ name }: SearchedField): boolean => !archived || name === UPDATED_AT;
    const [first] = sort;
    const given = first === undefined || isOfTable ? undefined : this.field(first.name);
    const sorted = given !== undefined && isHelpful(given) ? given : undefined;
    this.path = new SearchPath(values, {
      archived,
      ids: archived || isAll || ids.includes(undefined) ? undefined : ids.join(' UNION '),
      keys: this.keys,
      range: isOfTable
        ? undefined
        : commonRange(
            groups.map((group) =>
              group.flatMap(({ range }) => (range !== undefined && isHelpful(range.field) ? range : [])),
            ),
          ),
      ordered: sorted?.index === undefined || sorted.index === 'text' ? undefined : sorted,
    });
  }

  /** Whether it names users, whose e-mails are those of a version of the configuration. */
  get namesUsers(): boolean {
    return [...this.used.values()].some(({ comparison }) => comparison === 'user');
  }

  /** Whether all records of the type match. */
  get isAll(): boolean {
    return this.filter === 'true';
  }

  /** The next records of a source that match: `id`, and `at`, their places. */
  page(source: Source, after: readonly SortValue[] | undefined, most: number): Composed {
    const behindAfter = after === undefined ? 'true' : behind(this.keys, after, this.values);
    // Keys have collations of their own, of which a list may have one only.
    const at = this.keys.map(({ sql }) => `(${sql})::text COLLATE "C"`).join(', ');
    return this.values.compose(`SELECT r.id, ARRAY[${at}] AS at
      FROM ${source.from} WHERE ${source.where} AND ${this.filter} AND ${behindAfter}
      ORDER BY ${source.orderBy} LIMIT ${this.values.add(most, 'int')}`);
  }

  /** The number of records that match. */
  count(chances: Chances | undefined): Composed {
    const { from, where } = this.path.all(chances);
    return this.values.compose(
      `SELECT count(*)::int AS count FROM ${from} WHERE ${where} AND ${this.filter}`,
    );
  }

  private field(name: string): SearchedField {
    const { objectType } = this.query;
    const handle = this.parts.fields(objectType, name);
    if (handle === undefined) throw new RangeError(`Unknown field: ${name}`);
    const { types, directory } = this.parts;
    const field =
      this.used.get(name) ??
      searchedField(name, handle, { objectType, types, directory, values: this.values });
    this.used.set(name, field);
    return field;
  }
}

/** Returns a range that has the records of each group; one of keys rather than another. */
function commonRange([first = [], ...others]: readonly (readonly KeyRange[])[]): KeyRange | undefined {
  const common = first.flatMap((range) => {
    const same = others.map((ranges) => ranges.find(({ field }) => field === range.field));
    if (others.length === 0) return range;
    if (same.includes(undefined)) return [];
    const all = new Set([range, ...same].flatMap((each) => each?.ranges ?? []));
    return { field: range.field, ranges: [...all], areKeys: false };
  });
  return common.find(({ areKeys }) => areKeys) ?? common[0];
}
