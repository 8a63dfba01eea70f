import type { FieldDefinition } from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { RouterEntity } from '../../routers/index.js';
import { conditionsOf, routerParts, type SettingsPart } from '../change/router-parts.js';
import type { Use } from '../change/uses-by-contents.js';

/** What identifies a field. */
export type FieldName = Pick<FieldDefinition, 'objectType' | 'internalName'>;

/** The part of a router that names fields. */
export type RoutedBy = Pick<RouterEntity, 'name' | 'objectType' | 'settings'>;

/** A condition, and the use that it is. */
interface ConditionUse {
  readonly condition: SettingsPart;
  readonly use: Use;
}

/** Returns the key of the uses of a field, which is also what messages call it: `contacts.region`. */
export function fieldKey({ objectType, internalName }: FieldName): string {
  return `${objectType}.${internalName}`;
}

/** Returns the uses of fields by one router: as the field that it sets, and in triggers. */
export function namedFields(router: RoutedBy): Use[] {
  const { name, objectType, settings } = router;
  const owner = settings?.['owner_field'];
  const own =
    typeof owner === 'string'
      ? [{ key: fieldKey({ objectType, internalName: owner }), text: `the router ${name} (owner_field)` }]
      : [];
  return [...own, ...conditionsIn(router).map(({ use }) => use)];
}

/** Returns the conditions in the triggers of a router. */
export function conditionsIn({ name, objectType, settings }: RoutedBy): ConditionUse[] {
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
