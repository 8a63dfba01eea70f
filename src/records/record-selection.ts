import type { AccountContext } from '../accounts/index.js';
import { isId, type Queryable } from '../database/index.js';
import { Failures } from '../errors/errors.js';
import { OBJECT_TYPE_RULES, type FieldCatalog, type ObjectType } from '../fields/index.js';
import { PAGE_BYTES } from '../paging/index.js';
import { shownName } from '../text/shown-name.js';
import type { RecordKey } from './record-key.js';
import { foundViews } from './record-pages.js';
import { shownViews, type RecordView, type ShownViews } from './record-view.js';

/** The fields that an answer contains in addition to the default fields of the type (clause 2.3). */
export interface RecordSelection {
  /** Names of fields, system-managed ones included. */
  readonly properties?: readonly string[];
  /** What is wrong with the request already. It is refused, with all else that is wrong. */
  readonly failures?: Failures | undefined;
}

/** A selection in which references may be shown as the records that they name. */
export interface ExpandedSelection extends RecordSelection {
  /** Names of these references. */
  readonly expand?: readonly string[];
}

/** Which views are read, and which of their references are expanded then. */
export interface ExpandedShownViews extends ShownViews {
  readonly expanded: ExpandedFields;
}

/** Adds the failures of a selection, those known already first. @returns the properties that exist */
export function resolveExtras(
  catalog: FieldCatalog,
  objectType: ObjectType,
  { selection, failures }: { readonly selection: RecordSelection; readonly failures: Failures },
): readonly string[] {
  if (selection.failures !== undefined) failures.take(selection.failures);
  const { extras, invalid: refused } = catalog.resolveProperties(objectType, selection.properties ?? []);
  for (const name of refused) {
    const problem = (): string =>
      name === '' ? 'properties has an empty name' : `Invalid property: ${shownName(name)}`;
    failures.add(() => ({ field: 'properties', message: problem() }));
  }
  return extras;
}

/** As `resolveExtras`, also for references to expand. @returns which views are read */
export function resolveSelection(
  catalog: FieldCatalog,
  objectType: ObjectType,
  { selection, failures }: { readonly selection: ExpandedSelection; readonly failures: Failures },
): ExpandedShownViews {
  const unknown = new Failures();
  const { expand = [], properties = [] } = selection;
  const expanded = resolveExpand(catalog, { objectType, expand }, unknown);
  const named = { ...selection, properties: [...properties, ...expanded.keys()] };
  const extras = resolveExtras(catalog, objectType, { selection: named, failures });
  failures.take(unknown);
  return { ...shownViews(objectType, extras, catalog.userFieldNames(objectType)), expanded };
}

/** A record view in which references may be the views of the records that they name. */
export type ExpandedView = Readonly<Record<string, RecordView[string] | RecordView>>;

/** The references that are expanded, with the types of the records that they name. */
type ExpandedFields = ReadonlyMap<string, ObjectType>;

/** The most fields of one `expand`: a row with all of them is far smaller than the largest page. */
export const MOST_EXPANDED = 10;

/** Reads `expand`. @param failures receives every name of no reference, and that there are too many */
function resolveExpand(
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
 * An id of no record stays. @param views as JSON, read with the fields as properties
 * @returns as many as have PAGE_BYTES together, and whose records fit a page, but one at least
 */
export async function expandViews(
  db: Queryable,
  account: AccountContext,
  { views, fields }: { readonly views: readonly string[]; readonly fields: ExpandedFields },
): Promise<readonly string[]> {
  if (fields.size === 0) return views;
  const rows = views.map((text) => {
    const view = JSON.parse(text) as RecordView;
    return { view, targets: targetsIn(view, fields) };
  });
  const all = rows.flatMap(({ targets }) => targets);
  /** By type and id: the record, null for one that there is not; without those behind the end of a page. */
  const read = new Map<string, RecordView | null>();
  const readType = async (objectType: ObjectType): Promise<void> => {
    const ids = [...new Set(all.flatMap((target) => (target.objectType === objectType ? target.id : [])))];
    const shown = shownViews(objectType, [], [OBJECT_TYPE_RULES[objectType].ownerField]);
    const found = await foundViews(db, account, { ...shown, ids });
    const end = found.isCut ? ids.indexOf(found.ids.at(-1) ?? '') + 1 : ids.length;
    for (const id of ids.slice(0, end)) read.set(keyOf({ objectType, id }), null);
    for (const [index, id] of found.ids.entries())
      read.set(keyOf({ objectType, id }), JSON.parse(found.views[index] ?? '') as RecordView);
  };
  await Promise.all([...new Set(fields.values())].map(readType));
  const expanded: string[] = [];
  let bytes = 0;
  for (const { view, targets } of rows) {
    const shown: Record<string, ExpandedView[string]> = { ...view };
    for (const target of targets) shown[target.name] = read.get(keyOf(target)) ?? shown[target.name] ?? null;
    const text = JSON.stringify(shown);
    bytes += Buffer.byteLength(text) + 1;
    const isRead = targets.every((target) => read.has(keyOf(target)));
    if (expanded.length > 0 && (!isRead || bytes > PAGE_BYTES)) break;
    expanded.push(text);
  }
  return expanded;
}

function targetsIn(view: RecordView, fields: ExpandedFields): (RecordKey & { readonly name: string })[] {
  return [...fields].flatMap(([name, objectType]) => {
    const id = Object.hasOwn(view, name) ? view[name] : null;
    return typeof id === 'string' && isId(id) ? [{ name, objectType, id: id.toLowerCase() }] : [];
  });
}

const keyOf = ({ objectType, id }: RecordKey): string => `${objectType} ${id}`;
