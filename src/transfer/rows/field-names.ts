import { OBJECT_TYPE_RULES, type FieldDefinition } from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';

const SEPARATORS = /[\s_.:*\p{Pd}]+/gu;

/**
 * Returns the form in which headings are compared: as names are, without spaces, underscores, hyphens, dots,
 * colons and asterisks. `First Name`, `first_name` and `FIRST-NAME` are one.
 */
export function headingKey(heading: string): string {
  return nameKey(heading).replace(SEPARATORS, '');
}

/** Returns the internal name that a heading spells: `create_date` for `Create Date`. */
export function snakeCase(heading: string): string {
  return nameKey(heading).replace(SEPARATORS, '_');
}

/** Fields by other headings that mean them, the first that a type has. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['owner', ['contact_owner', 'company_owner', 'deal_owner', 'ticket_owner']],
  ['name', ['deal_name', 'ticket_name']],
  ['organization', ['company_name']],
  ['organisation', ['company_name']],
  ['givenname', ['first_name']],
  ['surname', ['last_name']],
  ['familyname', ['last_name']],
  ['emailaddress', ['email']],
  ['mail', ['email']],
  ['phonenumber', ['phone']],
  ['telephone', ['phone']],
  ['position', ['job_title']],
  ['url', ['website_url']],
  ['domain', ['website_url']],
]);

/** A field that a heading means. */
export interface NamedField {
  readonly field: FieldDefinition;
  /** Of a reference: the key of its target that the values are, or `id`; undefined where values say it. */
  readonly key?: string;
}

/** The fields of a type by what people call them: internal names and labels. */
export class FieldNames {
  private readonly byName: ReadonlyMap<string, FieldDefinition>;
  private readonly byKey = new Map<string, readonly FieldDefinition[]>();

  constructor(fields: readonly FieldDefinition[]) {
    this.byName = new Map(fields.map((field) => [field.internalName, field]));
    for (const field of fields) {
      for (const key of new Set([field.internalName, field.label].map(headingKey)))
        if (key !== '') this.byKey.set(key, [...(this.byKey.get(key) ?? []), field]);
    }
  }

  /** The internal names. */
  get all(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** Whether that is exactly an internal name. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** Returns what a heading may mean: a field, or a reference, a dot and a key of its target. */
  find(heading: string): readonly NamedField[] {
    const at = heading.lastIndexOf('.');
    const [name, wanted] = [heading.slice(0, Math.max(at, 0)), heading.slice(at + 1)];
    const exact = keysOf(this.byName.get(name)).filter(({ key }) => key === wanted);
    if (exact.length > 0) return exact;
    const named = this.called(heading).map((field) => this.nameOf(field, heading));
    if (named.length > 0 || at < 0) return named.map((field) => ({ field }));
    const fields = this.called(name).flatMap(keysOf);
    return fields.filter(({ key }) => headingKey(key) === headingKey(wanted));
  }

  private called(name: string): readonly FieldDefinition[] {
    const exact = this.byName.get(name);
    if (exact !== undefined) return [exact];
    const key = headingKey(name);
    return this.byKey.get(key) ?? this.meantBy(key);
  }

  /** Lists of people have names in a column that is called as a reference, but for its internal name. */
  private nameOf(field: FieldDefinition, heading: string): FieldDefinition {
    const named = field.target == null ? undefined : this.byName.get(`${field.internalName}_name`);
    return heading === field.internalName ? field : (named ?? field);
  }

  /** What else people call fields that there are. */
  private meantBy(key: string): readonly FieldDefinition[] {
    const names = OTHER_NAMES.get(key)?.flatMap((name) => this.byName.get(name) ?? []) ?? [];
    return names.slice(0, 1);
  }
}

/** Returns the keys by which records are named in a field; none where it is no reference. */
function keysOf(field: FieldDefinition | undefined): readonly Required<NamedField>[] {
  if (field?.target == null) return [];
  return [...OBJECT_TYPE_RULES[field.target].uniqueKeys, 'id'].map((key) => ({ field, key }));
}
