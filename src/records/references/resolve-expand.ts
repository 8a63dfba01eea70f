import type { AccountConfiguration } from '../../configuration/index.js';
import type { Failures } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import { shownName } from '../../text/shown-name.js';
import type { ExpandedFields } from './expanded-view.js';

/** The most fields of one `expand`: a row with all of them is far smaller than the largest page. */
export const MOST_EXPANDED = 10;

/**
 * Reads names to expand.
 * @param failures receives every name of no reference, and that there are too many
 */
export function resolveExpand(
  { catalog }: AccountConfiguration,
  { objectType, expand }: { readonly objectType: ObjectType; readonly expand: readonly string[] },
  failures: Failures,
): ExpandedFields {
  const references = new Map(
    catalog.references(objectType).map(({ internalName, target }) => [internalName, target]),
  );
  const fields = new Map<string, ObjectType>();
  const names = new Set(expand);
  const add = (describe: () => string): void =>
    failures.add(() => ({ field: 'expand', message: describe() }));
  for (const name of names) {
    const target = references.get(name) ?? undefined;
    if (target !== undefined) fields.set(name, target);
    else add(() => (name === '' ? 'expand has an empty name' : `Not a reference: ${shownName(name)}`));
  }
  if (names.size > MOST_EXPANDED) add(() => `expand takes at most ${MOST_EXPANDED} fields`);
  return fields;
}
