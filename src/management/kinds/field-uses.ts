import { Injectable } from '@nestjs/common';
import { CapacitiesRepository, type CapacityEntity } from '../../capacities/index.js';
import type { FieldDefinition } from '../../fields/index.js';
import { RecordValuesRepository } from '../../records/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import {
  conditionsOf,
  routerParts,
  usesInRouters,
  type SettingsPart,
  type Use,
} from '../change/router-uses.js';

/** What identifies a field. */
type FieldName = Pick<FieldDefinition, 'objectType' | 'internalName'>;

/** The part of a router that names fields. */
type RoutedBy = Pick<RouterEntity, 'name' | 'objectType' | 'settings'>;

/** Returns the key of the uses of a field, which is also what messages call it: `contacts.region`. */
export function fieldKey({ objectType, internalName }: FieldName): string {
  return `${objectType}.${internalName}`;
}

/** Finds what names fields or options of one: routers, capacities, and for options records. */
@Injectable()
export class FieldUses {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly values: RecordValuesRepository,
  ) {}

  /**
   * @returns for each field a text for each use, such as `the router Inbound (rule VIP)`. Values of records
   *   are no uses.
   */
  async find({ tx, account }: ConfigurationChange, fields: readonly FieldName[]): Promise<string[][]> {
    const uses = usesInRouters(await this.routers.listWithDrafts(tx, account), namedFields);
    const capacities = await this.capacities.list(tx, account);
    return fields.map((field) => [
      ...(uses.get(fieldKey(field)) ?? []),
      ...capacities.filter(counts(field)).map(({ name }) => `the capacity ${name}`),
    ]);
  }

  /** @returns a text for each use of an option, such as `emea by 12 records` */
  async findOptions(
    { tx, account }: ConfigurationChange,
    field: FieldName,
    options: readonly string[],
  ): Promise<string[]> {
    const comparing = (router: RoutedBy): Use[] =>
      conditionsIn(router)
        .filter(({ use }) => use.key === fieldKey(field))
        .flatMap(({ condition, use: { text } }) => valuesOf(condition).map((key) => ({ key, text })));
    const uses = usesInRouters(await this.routers.listWithDrafts(tx, account), comparing);
    const capacities = (await this.capacities.list(tx, account)).filter(counts(field));
    const { objectType, internalName } = field;
    const held = await this.values.count(tx, account, { objectType, field: internalName, values: options });
    return options.flatMap((option) => {
      const records = held.get(option) ?? 0;
      const counting = capacities.filter(({ values }) => values.includes(option));
      return [
        ...(records === 0 ? [] : [records === 1 ? '1 record' : `${records} records`]),
        ...(uses.get(nameKey(option)) ?? []),
        ...counting.map(({ name }) => `the capacity ${name}`),
      ].map((use) => `${option} by ${use}`);
    });
  }
}

/** Returns a test of whether a capacity counts the values of a field. */
function counts({ objectType, internalName }: FieldName): (capacity: CapacityEntity) => boolean {
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
