import type { FieldLookup } from '../../engine/index.js';
import type { Failures } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import { shownName } from '../../text/shown-name.js';
import { fieldNamed } from './parse-filter.js';
import type { SortName } from './sort-sql.js';

/**
 * Reads the names that a search sorts by, each with `-` for descending.
 * @param failures receives every name of no field, and every one that is repeated
 */
export function readSort(
  sort: readonly string[],
  {
    objectType,
    fields,
    failures,
  }: {
    readonly objectType: ObjectType;
    readonly fields: FieldLookup;
    readonly failures: Failures;
  },
): readonly SortName[] {
  const names = new Set<string>();
  return sort.map((given, index) => {
    const descending = given.startsWith('-');
    const asked = descending ? given.slice(1) : given;
    const name = fieldNamed(asked);
    const isKnown = fields(objectType, name) !== undefined;
    const problem = isKnown
      ? 'sort must not name one twice'
      : `Unknown field of ${objectType}: ${shownName(asked)}`;
    if (!isKnown || names.has(name)) failures.add(() => ({ field: `sort[${index}]`, message: problem }));
    names.add(name);
    return { name, descending };
  });
}

/** Returns what tells an order from others: a cursor is a place in one order. */
export function orderText(objectType: ObjectType, sort: readonly SortName[]): string {
  return [objectType, ...sort.map(({ name, descending }) => (descending ? `-${name}` : name))].join(',');
}
