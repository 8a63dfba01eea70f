import type { FieldDefinition } from '../../fields/index.js';
import type { RouterEntity } from '../../routers/index.js';
import { conditionsOf, routerParts, type SettingsPart } from '../change/router-parts.js';

/** What identifies a field. */
export type FieldName = Pick<FieldDefinition, 'objectType' | 'internalName'>;

/** The part of a router that names fields. */
export type RoutedBy = Pick<RouterEntity, 'name' | 'settings'>;

/** A condition, and the use that it is. */
interface ConditionUse {
  readonly condition: SettingsPart;
  readonly use: string;
}

/** Returns the uses of a field by one router: as the field that it sets, and in triggers, each once. */
export function namesField(router: RoutedBy, field: string): string[] {
  const own = router.settings?.['owner_field'] === field ? [`the router ${router.name} (owner_field)`] : [];
  return [...own, ...new Set(conditionsIn(router, field).map(({ use }) => use))];
}

/** Returns the conditions on a field in the triggers of a router. */
export function conditionsIn({ name, settings }: RoutedBy, field: string): ConditionUse[] {
  return routerParts(settings).flatMap((part) => {
    const use = `the router ${name} (${part.name === '' ? 'trigger' : part.name})`;
    const conditions = conditionsOf(part).filter((condition) => condition['field'] === field);
    return conditions.map((condition) => ({ condition, use }));
  });
}

/** Returns the texts that a condition compares with, in lower case. */
export function valuesOf({ value }: SettingsPart): string[] {
  return [value].flat().flatMap((each) => (typeof each === 'string' ? [each.trim().toLowerCase()] : []));
}
