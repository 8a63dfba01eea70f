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
  async find({ tx, account }: ConfigurationChange, fields: readonly FieldDefinition[]): Promise<string[][]> {
    const uses = usesInRouters(await this.routers.listWithDrafts(tx, account), namedFields);
    const capacities = await this.capacities.list(tx, account);
    return fields.map((field) => [
      ...(uses.get(fieldKey(field)) ?? []),
      ...capacities.filter(counts(field)).map(({ name }) => `the capacity ${name}`),
    ]);
  }

  /** @returns a text for each use of an option, such as `emea by 12 records` */
  async findOptions(
    change: ConfigurationChange,
    field: FieldDefinition,
    options: readonly string[],
  ): Promise<string[]> {
    const { tx, account } = change;
    const routers = await this.routers.listWithDrafts(tx, account);
    const uses = usesInRouters(routers, (content) => comparing(content, field));
    const capacities = (await this.capacities.list(tx, account)).filter(counts(field));
    const { objectType, internalName } = field;
    const query = { objectType, field: internalName, values: options };
    const held = await this.values.count(tx, account, query);
    return options.flatMap((option) =>
      [
        ...counted(held.get(option)),
        ...(uses.get(nameKey(option)) ?? []),
        ...capacities
          .filter(({ values }) => values.includes(option))
          .map(({ name }) => `the capacity ${name}`),
      ].map((use) => `${option} by ${use}`),
    );
  }
}

/** Returns the uses of options of a field by the triggers of a router, with the options as keys. */
function comparing(content: RoutedBy, field: FieldName): Use[] {
  return conditionsIn(content)
    .filter(({ use }) => use.key === fieldKey(field))
    .flatMap(({ condition, use: { text } }) => valuesOf(condition).map((key) => ({ key, text })));
}

/** Returns a test of whether a capacity counts the values of a field. */
function counts({ objectType, internalName }: FieldName): (capacity: CapacityEntity) => boolean {
  return (capacity) => capacity.objectType === objectType && capacity.field === internalName;
}

function counted(count = 0): string[] {
  if (count === 0) return [];
  return [count === 1 ? '1 record' : `${count} records`];
}

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
