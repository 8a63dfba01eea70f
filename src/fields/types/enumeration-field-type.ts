import type { FieldDefinition } from '../field-definition.js';
import type { FieldType, ParseResult } from './field-type.js';
import { textProblem } from '../../text/text-problem.js';

/**
 * One of the field's options (clause 2.6), in any case: the internal name or, if no internal name matches,
 * the label. Stored as the internal name.
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
      const stored = lookup.get(value) ?? lookup.get(value.toLowerCase());
      if (stored !== undefined) return { ok: true, value: stored };
    }
    const allowed = field.options.map((option) => option.internalName).join(', ');
    const message = allowed === '' ? 'has no options yet' : `must be one of: ${allowed}`;
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
  for (const { internalName } of options) add(internalName.toLowerCase(), internalName);
  for (const { internalName, label } of options) add(label.toLowerCase(), internalName);
  return lookup;
}
