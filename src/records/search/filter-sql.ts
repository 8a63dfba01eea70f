import type { Condition, Trigger } from '../../engine/index.js';
import type { ConditionSql, KeySpan, MeantOwners } from './condition.js';
import { conditionSql } from './condition-sql.js';
import { intersection } from './key-span.js';
import type { Narrowing } from './narrowing.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** What tells the records of a filter from others, as conditions of SQL on a table of records `r`. */
export interface FilterTest {
  /** True for every record that matches, and for those of which PostgreSQL does not know it. */
  readonly holds: string;
  /** True for those of which PostgreSQL knows it, and null for the others of which `holds` is true. */
  readonly verdict: string;
  /** Whether all are known: the verdict is never null. */
  readonly isExact: boolean;
}

/** A trigger as conditions of SQL. */
export interface FilterSql extends FilterTest {
  /** As `holds`, with what indexes of the table are for. */
  readonly possible: string;
  /** Indexes by which its records can be found. */
  readonly spans: readonly KeySpan[];
  /** A condition on the owner which all its records meet; undefined where there is none. */
  readonly owned: OwnedSql | undefined;
  /** Whether unique keys find all its records. */
  readonly isUnique: boolean;
}

/** A condition on the owner. */
export interface OwnedSql {
  readonly sql: string;
  /** A few owners, and the test of their records; undefined for more, and where groups have other tests. */
  readonly alone: { readonly owners: MeantOwners; readonly rest: FilterTest } | undefined;
}

/** What a trigger is compiled with. */
interface FilterParts extends Narrowing {
  readonly values: SqlValues;
  /** The field of each condition. */
  readonly field: (condition: Condition) => SearchedField;
}

/**
 * Compiles a valid trigger. SQL evaluates what it can exactly as `evaluateTrigger` does; for the rest its
 * logic of three values says which records must be evaluated with the engine (ADR 26). `possible` is made of
 * parts that are never null, so that PostgreSQL can use indexes.
 */
export function filterSql({ groups }: Trigger, { values, field, archived }: FilterParts): FilterSql {
  const parts = { values, narrowing: { archived } };
  const compiled = groups.map(({ conditions }) =>
    conditions.map((condition) => conditionSql(condition, field(condition), parts)),
  );
  const test = testOf(compiled);
  if (test === ALL) return { ...test, possible: 'true', ...NONE };
  return { ...test, possible: anyOf(compiled, possible), ...(archived ? NONE : waysOf(compiled)) };
}

type Groups = readonly (readonly ConditionSql[])[];

const ALL: FilterTest = { holds: 'true', verdict: 'true', isExact: true };

function testOf(groups: Groups): FilterTest {
  if (groups.length === 0 || groups.some((conditions) => conditions.length === 0)) return ALL;
  return {
    holds: anyOf(groups, holds),
    verdict: anyOf(groups, ({ verdict }) => verdict),
    isExact: groups.flat().every(({ isExact }) => isExact),
  };
}

const anyOf = (groups: Groups, textOf: (condition: ConditionSql) => string): string =>
  `(${groups.map((conditions) => `(${conditions.map(textOf).join(' AND ')})`).join(' OR ')})`;

const holds = ({ verdict, isExact }: ConditionSql): string => (isExact ? verdict : `${verdict} IS NOT FALSE`);

const possible = (condition: ConditionSql): string =>
  condition.narrowing === undefined ? holds(condition) : `(${condition.narrowing}) AND ${holds(condition)}`;

type Ways = Pick<FilterSql, 'spans' | 'owned' | 'isUnique'>;

const NONE: Ways = { spans: [], owned: undefined, isUnique: false };

/** Returns ways to all records of a filter beside unique keys, which need no other. */
function waysOf(groups: Groups): Ways {
  if (groups.every((conditions) => conditions.some(({ column }) => column === 'key')))
    return { ...NONE, isUnique: true };
  return { spans: spansOf(groups), owned: ownedOf(groups), isUnique: false };
}

/** Owners whose records are merged. */
const MOST_OWNERS = 16;

function ownedOf(groups: Groups): OwnedSql | undefined {
  const conditions = groups.map((group) => group.find(({ column }) => column === 'owner'));
  const all = conditions.map((each) => each?.narrowing);
  if (all.includes(undefined)) return undefined;
  const [owner] = conditions;
  const [group = [], ...others] = groups;
  const owners = owner?.owners;
  const hasFew = owners !== undefined && owners.emails.length <= MOST_OWNERS && others.length === 0;
  const rest = testOf([group.filter((each) => each !== owner)]);
  const alone = hasFew ? { owners, rest } : undefined;
  return { sql: all.map((each) => `(${each ?? ''})`).join(' OR '), alone };
}

function spansOf(groups: Groups): readonly KeySpan[] {
  const [first = [], ...others] = groups.map((conditions) =>
    intersection(conditions.flatMap(({ span }) => span ?? [])),
  );
  if (others.length === 0) return first;
  return first.flatMap(({ field, ranges }) => {
    const same = others.map((spans) => spans.find((span) => span.field === field));
    if (same.includes(undefined)) return [];
    const all = new Set([...ranges, ...same.flatMap((span) => span?.ranges ?? [])]);
    return [{ field, ranges: [[...all].map((range) => `(${range})`).join(' OR ')], areKeys: false }];
  });
}
