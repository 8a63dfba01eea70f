/**
 * The view of a record (clause 2.2) as JSON text, made by PostgreSQL. ADR 7 tells why.
 */

/** Names whose values a statement reads without a subquery, which costs more than these. */
const FEW_NAMES = [5, 10];

/** How the values of a view are read. */
export interface ViewShape {
  /** The number of names that it has room for; undefined for any number. */
  readonly names: number | undefined;
  /** Whether there are system properties among the names. */
  readonly system: boolean;
}

/** Returns the shape for a number of names. */
export function viewShape(names: number, system: boolean): ViewShape {
  return { names: FEW_NAMES.find((each) => names <= each), system };
}

/** A value of `fields` as JSON: jsonb writes strings as JSON does. */
const value = (name: string): string => `COALESCE((r.fields -> ${name})::text, 'null')`;

/** Those of the first names. Keys that are missing are null, and so is then what concat leaves out. */
function few(count: number, names: string, keys: string): string {
  const each = (index: number): string =>
    `(${keys}::text[])[${index}] || ${value(`(${names}::text[])[${index}]`)}`;
  return Array.from({ length: count }, (_, index) => each(index + 1)).join(', ');
}

const many = (names: string, keys: string): string =>
  `(SELECT string_agg(key || ${value('name')}, '' ORDER BY n)
    FROM unnest(${names}::text[], ${keys}::text[]) WITH ORDINALITY AS shown (name, key, n))`;

/**
 * The text of the view of a record `r`, whose fields are unpacked by `unpacked`.
 * @param p `names`: a text[] of the stored fields and system properties to show; `keys`: a text[] of the same
 *   names as `,"name":`
 */
export const recordViewText = (shape: ViewShape, p: Readonly<Record<'names' | 'keys', string>>): string => {
  const shown = shape.names === undefined ? many(p.names, p.keys) : few(shape.names, p.names, p.keys);
  return `concat('{"id":"', r.id, '"', ${shown}, ',"created_at":"', iso_utc(r.created_at), '","updated_at":"',
    iso_utc(r.updated_at), '","archived":', CASE WHEN r.archived_at IS NULL THEN 'false}'
      ELSE concat('"', iso_utc(r.archived_at), '","archived_by":', COALESCE(to_json(r.archived_by)::text, 'null'), '}')
    END)`;
};

const SYSTEM = `jsonb_build_object('record_id', r.id, 'create_date', iso_utc(r.created_at),
  'last_modified_date', iso_utc(r.updated_at))`;

/** The fields of a record `r`, decompressed once: each operator on a large value would do so again. */
export const unpacked = ({ system }: ViewShape): string =>
  `r.fields || ${system ? SYSTEM : `'{}'`} AS fields`;
