import type { AccountContext } from '../../accounts/index.js';
import { isId, type Queryable } from '../../database/index.js';
import type { Failures } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type FieldCatalog, type ObjectType } from '../../fields/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { shownName } from '../../text/shown-name.js';
import type { RecordKey } from '../record-key.js';
import { foundViews } from '../record-pages.js';
import { shownViews, type RecordView } from '../record-view.js';

/** A record view in which references may be the views of the records that they name. */
export type ExpandedView = Readonly<Record<string, RecordView[string] | RecordView>>;

/** The references that are expanded, with the types of the records that they name. */
export type ExpandedFields = ReadonlyMap<string, ObjectType>;

/** The records that were read for views, by `keyOf`; null for one that there is not. */
export type ReadTargets = ReadonlyMap<string, RecordView | null>;

/** Views as objects and as JSON. */
interface Expanded {
  readonly views: readonly ExpandedView[];
  readonly texts: readonly string[];
}

/** The most fields of one `expand`: a row with all of them is far smaller than the largest page. */
export const MOST_EXPANDED = 10;

/**
 * Reads names to expand (`expand`, contract section 7).
 * @param failures receives every name of no reference, and that there are too many
 */
export function resolveExpand(
  catalog: FieldCatalog,
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

/**
 * Puts records, active or archived, in place of the ids of them, with one statement for each of their types.
 * @param views read with the fields as properties
 * @returns as `expandedViews`
 */
export async function expandViews(
  db: Queryable,
  account: AccountContext,
  { views, fields }: { readonly views: readonly RecordView[]; readonly fields: ExpandedFields },
): Promise<Expanded> {
  const keys = targetsOf(views, fields);
  const targets = new Map<string, RecordView | null>();
  const read = async (objectType: ObjectType): Promise<void> => {
    const ids = keys.filter((key) => key.objectType === objectType).map(({ id }) => id);
    const shown = shownViews(objectType, [], [OBJECT_TYPE_RULES[objectType].ownerField]);
    const found = await foundViews(db, account, { ...shown, ids });
    const end = found.isCut ? ids.indexOf(found.ids.at(-1) ?? '') + 1 : ids.length;
    for (const id of ids.slice(0, end)) targets.set(keyOf({ objectType, id }), null);
    for (const [index, id] of found.ids.entries())
      targets.set(keyOf({ objectType, id }), JSON.parse(found.views[index] ?? '') as RecordView);
  };
  await Promise.all([...new Set(keys.map(({ objectType }) => objectType))].map(read));
  return expandedViews(views, fields, targets);
}

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
): Expanded {
  const expanded: ExpandedView[] = [];
  const texts: string[] = [];
  let bytes = 0;
  for (const view of views) {
    const named = targetsIn(view, fields).map(([name, key]) => [name, targets.get(keyOf(key))] as const);
    const shown: Record<string, ExpandedView[string]> = { ...view };
    for (const [name, target] of named) shown[name] = target ?? shown[name] ?? null;
    const text = JSON.stringify(shown);
    bytes += Buffer.byteLength(text) + 1;
    const isRead = named.every(([, target]) => target !== undefined);
    if (expanded.length > 0 && (!isRead || bytes > PAGE_BYTES)) break;
    expanded.push(shown);
    texts.push(text);
  }
  return { views: expanded, texts };
}

function targetsIn(view: RecordView, fields: ExpandedFields): [name: string, key: RecordKey][] {
  return [...fields].flatMap(([name, objectType]): [string, RecordKey][] => {
    const id = Object.hasOwn(view, name) ? view[name] : null;
    return typeof id === 'string' && isId(id) ? [[name, { objectType, id: id.toLowerCase() }]] : [];
  });
}
