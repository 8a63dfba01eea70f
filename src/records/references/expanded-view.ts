import type { AccountConfiguration } from '../../configuration/index.js';
import { isId } from '../../database/index.js';
import type { Failures } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { shownName } from '../../text/shown-name.js';
import type { RecordView } from '../record-view.js';
import type { RecordKey } from '../records.repository.js';

/** A record view in which references may be the views of the records that they name. */
export type ExpandedView = Readonly<Record<string, RecordView[string] | RecordView>>;

/** The references that are expanded, with the types of the records that they name. */
export type ExpandedFields = ReadonlyMap<string, ObjectType>;

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

/** The records that were read for views, by `keyOf`; null for one that there is not. */
export type ReadTargets = ReadonlyMap<string, RecordView | null>;

export const keyOf = ({ objectType, id }: RecordKey): string => `${objectType} ${id}`;

/** Returns the records that references of views name, each once, in the order in which views name them. */
export function targetsOf(views: readonly RecordView[], fields: ExpandedFields): RecordKey[] {
  const keys = views.flatMap((view) => targetsIn(view, fields)).map(([, key]) => key);
  return [...new Map(keys.map((key) => [keyOf(key), key])).values()];
}

/**
 * Returns views with records in place of the ids of them. As many views as have PAGE_BYTES together as JSON,
 * and whose records were read, but one at least. An id of no record stays.
 */
export function expandedViews(
  views: readonly RecordView[],
  fields: ExpandedFields,
  targets: ReadTargets,
): { readonly views: readonly ExpandedView[]; readonly texts: readonly string[] } {
  const expanded: ExpandedView[] = [];
  const texts: string[] = [];
  let bytes = 0;
  for (const view of views) {
    const named = targetsIn(view, fields).map(([name, key]) => [name, keyOf(key)] as const);
    const isRead = named.every(([, key]) => targets.has(key));
    const shown = {
      ...view,
      ...Object.fromEntries(named.flatMap(([name, key]) => entry(name, targets.get(key)))),
    };
    const text = JSON.stringify(shown);
    bytes += Buffer.byteLength(text) + 1;
    if (expanded.length > 0 && (!isRead || bytes > PAGE_BYTES)) break;
    expanded.push(shown);
    texts.push(text);
  }
  return { views: expanded, texts };
}

function entry(name: string, view: RecordView | null | undefined): [string, RecordView][] {
  return view === null || view === undefined ? [] : [[name, view]];
}

function targetsIn(view: RecordView, fields: ExpandedFields): [name: string, key: RecordKey][] {
  return [...fields].flatMap(([name, objectType]): [string, RecordKey][] => {
    const id = Object.hasOwn(view, name) ? view[name] : null;
    return typeof id === 'string' && isId(id) ? [[name, { objectType, id: id.toLowerCase() }]] : [];
  });
}
