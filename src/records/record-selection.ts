import { Failures } from '../errors/errors.js';
import type { FieldCatalog, ObjectType } from '../fields/index.js';
import { shownName } from '../text/shown-name.js';
import { shownViews, type ShownViews } from './record-view.js';
import { resolveExpand, type ExpandedFields } from './references/expand.js';

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
