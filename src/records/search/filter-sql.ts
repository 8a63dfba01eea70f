import type { Condition, Trigger } from '../../engine/index.js';
import type { ConditionSql, KeySpan } from './condition.js';
import { conditionSql } from './condition-sql.js';
import { intersection } from './key-span.js';
import type { Narrowing } from './narrowing.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** A trigger as conditions of SQL on a table of records `r`. */
export interface FilterSql {
  /** True for every record that the trigger matches, and for those of which PostgreSQL does not know it. */
  readonly possible: string;
  /** The same without what indexes of the table are for. */
  readonly holds: string;
  /** True for those of which PostgreSQL knows it, and null for the others of which `possible` is true. */
  readonly verdict: string;
  /** Whether all are known: the verdict is never null. */
  readonly isExact: boolean;
  /** Indexes by which its records can be found. */
  readonly spans: readonly KeySpan[];
  /** A condition on the owner which all its records meet; undefined where there is none. */
  readonly owned: string | undefined;
  /** Whether unique keys find all its records. */
  readonly isUnique: boolean;
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
  const isAll = compiled.length === 0 || compiled.some((conditions) => conditions.length === 0);
  if (isAll)
    return {
      possible: 'true',
      holds: 'true',
      verdict: 'true',
      isExact: true,
      spans: [],
      owned: undefined,
      isUnique: false,
    };
  const anyOf = (textOf: (condition: ConditionSql) => string): string =>
    `(${compiled.map((conditions) => `(${conditions.map(textOf).join(' AND ')})`).join(' OR ')})`;
  return {
    possible: anyOf(possible),
    holds: anyOf(holds),
    verdict: anyOf(({ verdict }) => verdict),
    isExact: compiled.flat().every(({ isExact }) => isExact),
    ...(archived ? NONE : waysOf(compiled)),
  };
}

const holds = ({ verdict, isExact }: ConditionSql): string => (isExact ? verdict : `${verdict} IS NOT FALSE`);

const possible = (condition: ConditionSql): string =>
  condition.narrowing === undefined ? holds(condition) : `(${condition.narrowing}) AND ${holds(condition)}`;

type Ways = Pick<FilterSql, 'spans' | 'owned' | 'isUnique'>;

const NONE: Ways = { spans: [], owned: undefined, isUnique: false };

/** Returns ways to all records of a filter beside unique keys, which need no other. */
function waysOf(groups: readonly (readonly ConditionSql[])[]): Ways {
  if (groups.every((conditions) => conditions.some(({ column }) => column === 'key')))
    return { ...NONE, isUnique: true };
  const owned = groups.map((conditions) => conditions.find(({ column }) => column === 'owner')?.narrowing);
  return {
    spans: spansOf(groups),
    owned: owned.includes(undefined) ? undefined : owned.map((each) => `(${each ?? ''})`).join(' OR '),
    isUnique: false,
  };
}

function spansOf(groups: readonly (readonly ConditionSql[])[]): readonly KeySpan[] {
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
