import { nameKey } from '../../text/canonical-text.js';
import { textProblem } from '../../text/text-problem.js';
import type { FieldDefinition } from '../field-definition.js';
import { refused, type ParseResult } from './field-type.js';

/** Characters of the names of options that a message lists. */
const MAX_LISTED = 1_000;

/**
 * One of the field's options (clause 2.6): the internal name or, if no internal name matches, the label,
 * compared as names are (`nameKey`). Stored as the internal name.
 */
export const ENUMERATION = {
  id: 'enumeration',
  parse(value: unknown, field: FieldDefinition): ParseResult {
    const problem = textProblem(value);
    if (problem !== undefined) return refused(field, problem);
    if (typeof value === 'string') {
      const lookup = lookupOf(field);
      const stored = lookup.get(value) ?? lookup.get(nameKey(value));
      if (stored !== undefined) return { ok: true, value: stored };
    }
    if (field.options.length === 0) return refused(field, 'has no options yet');
    // 1 is no option, but "1" may be one.
    const kind = typeof value === 'number' || typeof value === 'boolean' ? ' (a string)' : '';
    return refused(field, `must be one of: ${listed(field)}${kind}`);
  },
};

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

/** By the definition object: an account whose options change gets new definition objects. */
const lookups = new WeakMap<FieldDefinition, ReadonlyMap<string, string>>();

/** Returns the internal names by the texts that are accepted. The first entry for a text wins. */
function lookupOf(field: FieldDefinition): ReadonlyMap<string, string> {
  const { options } = field;
  const known = lookups.get(field);
  if (known !== undefined) return known;
  // Exact internal names come first, so that a stored value parses to itself.
  const entries = [
    ...options.map(({ internalName }) => [internalName, internalName] as const),
    ...options.map(({ internalName }) => [nameKey(internalName), internalName] as const),
    ...options.map(({ internalName, label }) => [nameKey(label), internalName] as const),
  ];
  const lookup = new Map(entries.reverse());
  lookups.set(field, lookup);
  return lookup;
}
