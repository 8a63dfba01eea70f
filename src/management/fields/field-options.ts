import type { FieldDto, FieldOption } from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { Refuse } from '../change/configuration-change.js';

/**
 * What the options of a file or a body are. `merge`: new options are added at the end, others get their
 * label, and none is removed. `replace`: they are the whole list.
 */
export type OptionsMode = 'merge' | 'replace';

/**
 * Returns the options that a field gets.
 * @param present the stored ones, whose spelling of the internal name stays
 * @returns undefined where they are refused
 */
export function wantedOptions(
  present: readonly FieldOption[],
  { options }: Pick<FieldDto, 'options'>,
  { mode, refuse }: { readonly mode: OptionsMode; readonly refuse: Refuse },
): FieldOption[] | undefined {
  if (options === undefined) return [...present];
  const known = new Map(present.map((option) => [nameKey(option.internalName), option]));
  const named = new Map<string, FieldOption>();
  for (const { internal_name, label } of options) {
    const key = nameKey(internal_name);
    if (named.has(key)) {
      refuse('options', `the option ${internal_name} is named twice`);
      return undefined;
    }
    const before = known.get(key);
    const internalName = before?.internalName ?? internal_name;
    named.set(key, { internalName, label: label ?? before?.label ?? internalName });
  }
  return [...(mode === 'merge' ? new Map([...known, ...named]) : named).values()];
}

/** Returns the internal names of the options that `wanted` leaves out. */
export function removedOptions(present: readonly FieldOption[], wanted: readonly FieldOption[]): string[] {
  const kept = new Set(wanted.map(({ internalName }) => internalName));
  return present.map(({ internalName }) => internalName).filter((name) => !kept.has(name));
}
