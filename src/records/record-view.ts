import type { AccountConfiguration } from '../configuration/index.js';
import { StoredNames } from '../directory/index.js';
import {
  isSystemProperty,
  OBJECT_TYPE_RULES,
  type ObjectType,
  type SystemProperty,
} from '../fields/index.js';

/** A record as the database returns it. Its user fields have stored names (ADR 24). */
export interface StoredRecord {
  readonly id: string;
  readonly object_type: ObjectType;
  /** Stored values by internal name; cleared fields are absent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly archived_at: Date | null;
  readonly archived_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Greater after each change; absent where it is not read. */
  readonly version?: string;
}

const SYSTEM_VALUES: Readonly<Record<SystemProperty, (record: StoredRecord) => string>> = {
  record_id: ({ id }) => id,
  create_date: ({ created_at }) => created_at.toISOString(),
  last_modified_date: ({ updated_at }) => updated_at.toISOString(),
};

/** The stored value of a field, system-managed ones too (clause 2.5); undefined for an empty one. */
export function valueOf(record: StoredRecord, name: string): string | undefined {
  if (isSystemProperty(name)) return SYSTEM_VALUES[name](record);
  // Only own properties count, because a custom field may be called "constructor".
  return Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
}

/** Returns a record with the e-mails of users in its user fields. @param userFields names of these */
export function shownRecord(
  record: StoredRecord,
  names: StoredNames,
  userFields: Iterable<string>,
): StoredRecord {
  return names.isEmpty ? record : { ...record, fields: names.shown(record.fields, userFields) };
}

/** A record as clients see it: flat, values as stored strings, null where empty (clause 2.2). */
export type RecordView = Readonly<Record<string, string | null | false>>;

/** A WeakMap that lives long would keep all versions until the old generation is collected (ADR 7). */
const VERSION = Symbol('version');

/** Notes the version of the record that a view shows. @returns the view */
export function withVersion<View extends object>(view: View, version: string | undefined): View {
  return version === undefined
    ? view
    : Object.defineProperty(view, VERSION, { value: version, configurable: true });
}

/** Returns the version of the record that a view shows; undefined for a view that somebody else has made. */
export function versionOf(view: object): string | undefined {
  return (view as { readonly [VERSION]?: string })[VERSION];
}

/** The flat object of a record: default fields, extra properties that are allowed, state, times. */
export function recordView(record: StoredRecord, extras: readonly string[] = []): RecordView {
  const view: Record<string, string | null | false> = { id: record.id };
  for (const name of OBJECT_TYPE_RULES[record.object_type].defaultFields) {
    view[name] = record.fields[name] ?? null;
  }
  for (const name of extras) view[name] = valueOf(record, name) ?? null;
  view['created_at'] = record.created_at.toISOString();
  const { archived_at: archived, updated_at: updated } = record;
  // An archived record does not change any more.
  view['updated_at'] = (archived ?? updated).toISOString();
  view['archived'] = archived?.toISOString() ?? false;
  if (archived !== null) view['archived_by'] = record.archived_by;
  return withVersion(view, record.version);
}

/** Returns the view of a record that was written under a configuration, which says the e-mails of users. */
export function viewIn(
  { directory, catalog }: AccountConfiguration,
  record: StoredRecord,
  extras?: readonly string[],
): RecordView {
  const userFields = catalog.userFieldNames(record.object_type);
  return recordView(shownRecord(record, directory.names, userFields), extras);
}

/** What a statement reads of users whose e-mail has changed: the e-mails by stored name; null for none. */
export type Renamed = Readonly<Record<string, string>> | null | undefined;

/** Returns a view with the e-mails of users in its user fields. @param userFields names of these */
export function shownView(view: RecordView, renamed: Renamed, userFields: readonly string[]): RecordView {
  const names = StoredNames.from(renamed);
  return names.isEmpty ? view : withEmails(view, names, userFields);
}

/** As `shownView`, of views as JSON text. */
export function shownTexts(
  views: readonly string[],
  renamed: Renamed,
  userFields: readonly string[],
): readonly string[] {
  const names = StoredNames.from(renamed);
  if (names.isEmpty) return views;
  return views.map((view) => JSON.stringify(withEmails(JSON.parse(view) as RecordView, names, userFields)));
}

function withEmails(view: RecordView, names: StoredNames, userFields: readonly string[]): RecordView {
  const shown = { ...view };
  for (const name of userFields) {
    const stored = Object.hasOwn(view, name) ? view[name] : null;
    if (typeof stored === 'string') shown[name] = names.emailOf(stored);
  }
  return withVersion(shown, versionOf(view));
}

/** Which views are read. */
export interface ShownViews {
  readonly objectType: ObjectType;
  /** Properties to show beside the default fields of the type, each once. */
  readonly extras: readonly string[];
  /** Names of the user fields among those of the views. */
  readonly userFields: readonly string[];
}

/** Which views are read. @param properties those to show, default ones included, as often as asked for */
export function shownViews(
  objectType: ObjectType,
  properties: readonly string[],
  userFields: readonly string[],
): ShownViews {
  const { defaultFields } = OBJECT_TYPE_RULES[objectType];
  const extras = [...new Set(properties)].filter((name) => !defaultFields.includes(name));
  return { objectType, extras, userFields };
}
