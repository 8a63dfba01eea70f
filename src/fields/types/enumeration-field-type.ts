import type { FieldDefinition } from '../field-definition.js';
import type { FieldType, ParseResult } from './field-type.js';
import { nameKey } from '../../text/canonical-text.js';
import { textProblem } from '../../text/text-problem.js';

/** Characters of the names of options that a message lists. */
const MAX_LISTED = 1_000;

/**
 * One of the field's options (clause 2.6): the internal name or, if no internal name matches, the label,
 * compared as names are (`nameKey`). Stored as the internal name.
 */
export class EnumerationFieldType implements FieldType {
  readonly id = 'enumeration';

  /** By the definition object: an account whose options change gets new definition objects. */
  private readonly lookups = new WeakMap<FieldDefinition, ReadonlyMap<string, string>>();

  parse(value: unknown, field: FieldDefinition): ParseResult {
    const problem = textProblem(value);
    if (problem !== undefined) return { ok: false, message: `${field.internalName} ${problem}` };
    if (typeof value === 'string') {
      const lookup = this.lookupOf(field);
      const stored = lookup.get(value) ?? lookup.get(nameKey(value));
      if (stored !== undefined) return { ok: true, value: stored };
    }
    // 1 is no option, but "1" may be one.
    const kind = typeof value === 'number' || typeof value === 'boolean' ? ' (a string)' : '';
    const message =
      field.options.length === 0 ? 'has no options yet' : `must be one of: ${listed(field)}${kind}`;
    return { ok: false, message: `${field.internalName} ${message}` };
  }

  private lookupOf(field: FieldDefinition): ReadonlyMap<string, string> {
    let lookup = this.lookups.get(field);
    if (lookup === undefined) {
      lookup = buildLookup(field);
      this.lookups.set(field, lookup);
    }
    return lookup;
  }
}

/** The names of the options as a message lists them: as many as fit, and the number of the others. */
function listed({ options }: FieldDefinition): string {
  const names: string[] = [];
  let length = 0;
  for (const { internalName } of options) {
    length += internalName.length + 2;
    if (length > MAX_LISTED && names.length > 0)
      return `${names.join(', ')} and ${options.length - names.length} more`;
    names.push(internalName);
  }
  return names.join(', ');
}

/**
 * Accepted text → internal name. The first entry for a text wins. Exact internal names come first, so that a
 * stored value parses to itself.
 */
function buildLookup({ options }: FieldDefinition): Map<string, string> {
  const lookup = new Map<string, string>();
  const add = (key: string, internalName: string) => {
    if (!lookup.has(key)) lookup.set(key, internalName);
  };
  for (const { internalName } of options) add(internalName, internalName);
  for (const { internalName } of options) add(nameKey(internalName), internalName);
  for (const { internalName, label } of options) add(nameKey(label), internalName);
  return lookup;
}
