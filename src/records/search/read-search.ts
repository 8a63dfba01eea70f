import {
  compileTrigger,
  matches,
  RecordValues,
  type FieldHandle,
  type FieldLookup,
  type Trigger,
  type TriggerOperator,
} from '../../engine/index.js';
import type { Failures } from '../../errors/errors.js';
import type { FieldTypeRegistry, ObjectType } from '../../fields/index.js';
import { parseFilter } from './parse-filter.js';
import type { SearchQuery } from './search-query.js';

/** The most conditions of a filter, and the most values of them together. */
export const MOST_CONDITIONS = 100;
export const MOST_OPERANDS = 1_000;

/** What filters and sorts can name. */
export interface KnownNames {
  readonly fields: FieldLookup;
  readonly operators: readonly TriggerOperator[];
  readonly types: FieldTypeRegistry;
}

const ALL: Trigger = { groups: [] };

/**
 * Reads a filter, which is a trigger; one that is left out matches all records.
 * @param failures receives all that is wrong with it
 */
export function readFilter(
  value: unknown,
  objectType: ObjectType,
  { fields, operators, failures }: KnownNames & { readonly failures: Failures },
): Trigger {
  if (value === undefined) return ALL;
  const result = parseFilter({ value, path: 'filter' }, objectType, { fields, operators });
  if (!result.ok) {
    failures.addAll(result.errors);
    return ALL;
  }
  const conditions = result.trigger.groups.flatMap((group) => group.conditions);
  const operands = conditions.flatMap((condition) => condition.value);
  const tooMany = (what: string): void =>
    failures.add(() => ({ field: 'filter', message: `filter must have at most ${what}` }));
  if (conditions.length > MOST_CONDITIONS) tooMany(`${MOST_CONDITIONS} conditions`);
  if (operands.length > MOST_OPERANDS) tooMany(`${MOST_OPERANDS} values`);
  return result.trigger;
}

/** Returns what the statements of a search are made of. @param search valid */
export function searchQuery(
  search: Pick<SearchQuery, 'objectType' | 'archived' | 'filter' | 'sort'>,
  { fields: lookup, operators, types }: KnownNames,
): SearchQuery {
  const { objectType, filter, sort } = search;
  const named = filter.groups.flatMap(({ conditions }) => conditions.map(({ field }) => field));
  const fields = new Map<string, FieldHandle>();
  for (const name of [...named, ...sort.map((each) => each.name)]) {
    const handle = lookup(objectType, name);
    if (handle !== undefined) fields.set(name, handle);
  }
  const known = new Map(operators.map((operator) => [operator.id, operator]));
  const trigger = compileTrigger(filter, objectType, { fields: lookup, operators: known });
  return {
    ...search,
    fields,
    matches: (record) => matches(trigger, new RecordValues(record, trigger.slots)),
    hasOwnComparison: (type) => types.get(type)?.comparisonKey !== undefined,
  };
}
