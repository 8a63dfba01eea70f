import type { CapacityEntity } from '../../capacities/index.js';
import type { FieldDefinition } from '../../fields/index.js';
import type { RouterEntity } from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { conditionsOf, routerParts, type SettingsPart, type Use } from '../change/router-uses.js';

/** What identifies a field. */
type FieldName = Pick<FieldDefinition, 'objectType' | 'internalName'>;

/** The part of a router that names fields. */
type RoutedBy = Pick<RouterEntity, 'name' | 'objectType' | 'settings'>;

/** Returns the key of the uses of a field, which is also what messages call it: `contacts.region`. */
export function fieldKey({ objectType, internalName }: FieldName): string {
  return `${objectType}.${internalName}`;
}

/** Returns a test of whether a capacity counts the values of a field. */
export function counts({ objectType, internalName }: FieldName): (capacity: CapacityEntity) => boolean {
  return (capacity) => capacity.objectType === objectType && capacity.field === internalName;
}

/** Returns the uses of fields by one router: as the field that it sets, and in triggers. */
export function namedFields(router: RoutedBy): Use[] {
  const { name, objectType, settings } = router;
  const owner = settings?.['owner_field'];
  const key = fieldKey({ objectType, internalName: String(owner) });
  const own = typeof owner === 'string' ? [{ key, text: `the router ${name} (owner_field)` }] : [];
  return [...own, ...conditionsIn(router).map(({ use }) => use)];
}

/** Returns the uses of options of a field by one router. */
export function namedOptions(router: RoutedBy, field: FieldName): Use[] {
  return conditionsIn(router)
    .filter(({ use }) => use.key === fieldKey(field))
    .flatMap(({ condition, use: { text } }) => valuesOf(condition).map((key) => ({ key, text })));
}

/** Returns the conditions in the triggers of a router, with the uses that they are. */
export function conditionsIn({
  name,
  objectType,
  settings,
}: RoutedBy): { readonly condition: SettingsPart; readonly use: Use }[] {
  return routerParts(settings).flatMap((part) => {
    const text = `the router ${name} (${part.name === '' ? 'trigger' : part.name})`;
    return conditionsOf(part).map((condition) => {
      const internalName = String(condition['field']);
      return { condition, use: { key: fieldKey({ objectType, internalName }), text } };
    });
  });
}

/** Returns the texts that a condition compares with, in the form in which names are compared. */
export function valuesOf({ value }: SettingsPart): string[] {
  return [value].flat().flatMap((each) => (typeof each === 'string' ? [nameKey(each)] : []));
}
