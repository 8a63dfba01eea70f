import type { AccountContext } from '../../accounts/index.js';
import type { ObjectType } from '../../fields/index.js';
import { renamedUsers } from '../../directory/index.js';
import { canonicalText } from '../../text/canonical-text.js';
import type { StoredOwner } from './condition.js';
import { filterSql, type FilterSql, type FilterTest } from './filter-sql.js';
import type { SearchQuery } from './search-query.js';
import { searchedField, type SearchedField } from './searched-field.js';
import { PathChoice, type Chances, type SearchPath } from './path-choice.js';
import type { Source, Stage } from './search-path.js';
import { FIND_OWNERS } from './search.statements.js';
import { behind, BY_ID, sortKeys, type SortKey, type SortValue } from './sort-sql.js';
import { SqlValues, type Composed } from './sql-values.js';

/** The e-mails of users by stored name. A subquery that depends on no row is evaluated once. */
const RENAMED = `(SELECT (${renamedUsers('$1')})::jsonb)`;

/** A search as SQL. Each statement is made of the same parts, so all of them find the same records. */
export class CompiledSearch {
  private readonly accountId: string;
  private readonly values: SqlValues;
  private readonly filter: FilterSql;
  /** The fields of the filter, by the place of their value in what a row saw. */
  private readonly seen: readonly SearchedField[];
  readonly keys: readonly SortKey[];
  private readonly choice: PathChoice;

  constructor(
    { accountId }: AccountContext,
    private readonly query: SearchQuery,
  ) {
    const { objectType, archived, hasOwnComparison } = query;
    this.accountId = accountId;
    this.values = new SqlValues(accountId, objectType);
    const source = { objectType, hasOwnComparison, renamed: RENAMED, values: this.values };
    const fields = new Map<string, SearchedField>();
    for (const [name, handle] of query.fields) fields.set(name, searchedField(name, handle, source));
    const known = (name: string): SearchedField => {
      const field = fields.get(name);
      if (field === undefined) throw new RangeError(`Unknown field: ${name}`);
      return field;
    };
    const field = (condition: { readonly field: string }): SearchedField => known(condition.field);
    this.filter = filterSql(query.filter, { values: this.values, field, archived });
    const named = query.filter.groups.flatMap(({ conditions }) => conditions.map((each) => each.field));
    this.seen = this.filter.isExact ? [] : [...new Set(named)].map(known);
    this.keys = sortKeys(query.sort, fields, this.values);
    const [first] = query.sort;
    const sorted = first === undefined ? undefined : known(first.name);
    const isOrdered = sorted?.index !== undefined && sorted.index !== 'text' && !archived;
    const { spans, owned, isUnique } = this.filter;
    const isOneGroup = query.filter.groups.length === 1;
    const ordered = isOrdered && !isUnique ? sorted : undefined;
    this.choice = new PathChoice(
      { spans, owned, isOneGroup, ordered, field: known },
      { archived, keys: this.keys, values: this.values },
    );
  }

  get objectType(): ObjectType {
    return this.query.objectType;
  }

  /** Whether archived records are found too. */
  get archived(): boolean {
    return this.query.archived;
  }

  /** Whether the filter has a field of users, whom it names by the e-mails that a configuration has. */
  get namesUsers(): boolean {
    const { filter, fields } = this.query;
    const isOfUsers = (name: string): boolean => fields.get(name)?.definition.type === 'user';
    return filter.groups.some(({ conditions }) => conditions.some(({ field }) => isOfUsers(field)));
  }

  /** The fields whose indexes can be used. */
  get indexed(): readonly string[] {
    return this.choice.fields;
  }

  /** A path that finds nothing where an index is not ready; undefined where the chances decide. */
  directPath(): SearchPath | undefined {
    return this.choice.direct();
  }

  /** The statement whose row decides the path; undefined where nothing is to be asked of indexes. */
  chances(): Composed | undefined {
    return this.choice.chances();
  }

  /** The statement that finds who the owners may be; undefined where they decide nothing. */
  owners(): Composed | undefined {
    const owners = this.filter.owned?.alone?.owners;
    if (owners === undefined) return undefined;
    return { statement: FIND_OWNERS, values: [this.accountId, owners.emails, owners.like] };
  }

  /** How records are found. @param chances the row of that statement @param owners the rows of the other */
  path(chances?: Chances, owners?: readonly StoredOwner[]): SearchPath {
    return this.choice.choose(chances, this.namesOf(owners));
  }

  /** Whether PostgreSQL alone finds the records of a stage. */
  isExact(stage: Stage): boolean {
    return this.testOf(stage(undefined)).isExact;
  }

  /** Whether all records of the type match. */
  get isAll(): boolean {
    return this.filter.possible === 'true';
  }

  /** The next records of a stage that match, or may match: `id`, `at`, and `saw` for those that may. */
  page(stage: Stage, after: readonly SortValue[] | undefined, most: number): Composed {
    const behindAfter = after === undefined ? 'true' : behind(this.keys, after, this.values);
    const at = this.keys.map(({ sql }) => `(${sql})::text`).join(', ');
    const source = stage(after);
    const test = this.testOf(source);
    return this.values.compose(`SELECT r.id, ARRAY[${at}] AS at, ${this.saw(test)}
      FROM ${source.from} WHERE ${source.where} AND ${test.holds} AND ${behindAfter}
      ORDER BY ${source.orderBy} LIMIT ${this.values.add(most, 'int')}`);
  }

  /** The number of records that match for certain. */
  count(all: Stage): Composed {
    const source = all(undefined);
    const { holds, verdict } = this.testOf(source);
    return this.values.compose(`SELECT count(*)::int AS count FROM ${source.from}
      WHERE ${source.where} AND ${holds} AND ${verdict}`);
  }

  /** The next records, by id, that may match, with what they `saw`. @param after an id, from the first on */
  doubtful(all: Stage, after: string, most: number): Composed {
    const source = all(undefined);
    const test = this.testOf(source);
    return this.values.compose(`SELECT r.id, ${this.saw(test)}
      FROM ${source.from} WHERE ${source.where} AND ${test.holds} AND ${test.verdict} IS NULL
        AND ${BY_ID.sql} > ${this.values.add(after, 'uuid')}
      ORDER BY ${BY_ID.sql} LIMIT ${this.values.add(most, 'int')}`);
  }

  /** Whether the engine finds that a record matches. @param saw what its row saw; null for one that does */
  isMatch({ id, saw }: { readonly id: string; readonly saw: readonly (string | null)[] | null }): boolean {
    if (saw === null) return true;
    const values = new Map(this.seen.map(({ name }, index) => [name, saw[index] ?? undefined]));
    const { objectType } = this.query;
    return this.query.matches({ id, objectType, get: (name) => values.get(name) });
  }

  /** What the column has for the owners; undefined where that is not known. */
  private namesOf(owners: readonly StoredOwner[] | undefined): readonly string[] | undefined {
    const meant = this.filter.owned?.alone?.owners.emails;
    if (owners === undefined || meant === undefined) return undefined;
    return owners.filter(({ email }) => meant.includes(canonicalText(email))).map(({ name }) => name);
  }

  /** What is left to test of the records of a source. */
  private testOf({ test }: Source): FilterTest {
    const { filter } = this;
    if (test === 'possible') return { ...filter, holds: filter.possible };
    return (test === 'rest' ? filter.owned?.alone?.rest : undefined) ?? filter;
  }

  /** The values that the filter compares, of a record that may match. */
  private saw({ isExact, verdict }: FilterTest): string {
    if (isExact) return 'NULL AS saw';
    const values = this.seen.map(({ comparison, value }) =>
      comparison === 'column' ? `iso_utc(${value})` : value,
    );
    return `CASE WHEN ${verdict} IS NULL THEN ARRAY[${values.join(', ')}]::text[] END AS saw`;
  }
}
