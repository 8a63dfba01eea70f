import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';

/**
 * The view of a record (clause 2.2) as JSON text, made by PostgreSQL. ADR 7 tells why.
 */

/** Numbers of extra properties that a statement reads without a subquery, which costs more than these. */
const FEW = [0, 5];

/** Which keys views have. */
export interface ViewShape {
  readonly objectType: ObjectType;
  /** Extra properties for which there is room; undefined for any number. */
  readonly extras: number | undefined;
}

/** Returns the shape of views with these extra properties, which are no default fields. */
export function viewShape(objectType: ObjectType, extras: readonly string[]): ViewShape {
  return { objectType, extras: FEW.find((each) => extras.length <= each) };
}

/** What tells a statement for views of a shape from one for others. */
export const shapeName = ({ objectType, extras }: ViewShape): string => `${objectType}_${extras ?? 'many'}`;

/** Returns a property as recordViewText takes it. */
export const keyOf = (name: string): string => `,${JSON.stringify(name)}:`;

/** Returns the values of the parameters of a shape with these extra properties. */
export const extraValues = (extras: readonly string[]): readonly unknown[] =>
  extras.length === 0 ? [] : [extras, extras.map(keyOf)];

/** A value of `fields` as JSON: jsonb writes strings as JSON does. */
const value = (name: string): string => `COALESCE((r.fields -> ${name})::text, 'null')`;

/** Those of the first names. What has no key is left out. */
const few = (count: number, { names, keys }: Extras): string[] =>
  Array.from({ length: count }, (_, index) => {
    const at = `[${index + 1}]`;
    return `COALESCE((${keys}::text[])${at} || ${value(`(${names}::text[])${at}`)}, '')`;
  });

const many = ({ names, keys }: Extras): string =>
  `(SELECT COALESCE(string_agg(key || ${value('name')}, '' ORDER BY n), '')
    FROM unnest(${names}::text[], ${keys}::text[]) WITH ORDINALITY AS shown (name, key, n))`;

/** Parameters of a statement, of which a shape without extras has none. */
interface Extras {
  /** A text[] of the extra properties. */
  readonly names: string;
  /** A text[] of what `keyOf` makes of them. */
  readonly keys: string;
}

/** The text of the view of a record `r`, whose fields are `viewFields`. `||` costs less than concat. */
export const recordViewText = ({ objectType, extras: count }: ViewShape, extras: Extras): string => {
  const defaults = OBJECT_TYPE_RULES[objectType].defaultFields.map(
    (name) => `'${keyOf(name)}' || ${value(`'${name}'`)}`,
  );
  const added = count === undefined ? [many(extras)] : few(count, extras);
  return `('{"id":"' || r.id || '"' || ${[...defaults, ...added].join(' || ')} ||
    ',"created_at":"' || iso_utc(r.created_at) || '","updated_at":"' || iso_utc(r.updated_at) || '","archived":' ||
    CASE WHEN r.archived_at IS NULL THEN 'false}'
      ELSE '"' || iso_utc(r.archived_at) || '","archived_by":' || COALESCE(to_json(r.archived_by)::text, 'null') || '}'
    END)`;
};

const SYSTEM = `jsonb_build_object('record_id', r.id, 'create_date', iso_utc(r.created_at),
  'last_modified_date', iso_utc(r.updated_at))`;

/** The columns of a record `r` that its view is made of, beside its fields. */
export const VIEW_COLUMNS = 'r.id, r.archived_at, r.archived_by, r.created_at, r.updated_at';

/** The fields of a record `r`, decompressed once: each operator on a large value would do so again. */
export const viewFields = ({ extras }: ViewShape): string =>
  `r.fields || ${extras === 0 ? `'{}'` : SYSTEM} AS fields`;
