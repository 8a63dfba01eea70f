import { Injectable } from '@nestjs/common';
import { CapacitiesRepository, type CapacityEntity } from '../../capacities/index.js';
import type { FieldDefinition } from '../../fields/index.js';
import { RecordValuesRepository } from '../../records/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { usesByContents } from '../change/uses-by-contents.js';
import { conditionsIn, namesField, valuesOf, type FieldName } from './router-fields.js';

/** Finds what names a field or options of it: routers, capacities, and for options records. */
@Injectable()
export class FieldUses {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly values: RecordValuesRepository,
  ) {}

  /** @returns a text for each use, such as `the router Inbound (rule VIP)`. Values of records are no uses. */
  async find(change: ConfigurationChange, field: FieldDefinition): Promise<string[]> {
    const { routers, capacities } = await this.load(change, field);
    return [
      ...routers.flatMap((router) =>
        usesByContents(router, (content) => namesField(content, field.internalName)),
      ),
      ...capacities.map(({ name }) => `the capacity ${name}`),
    ];
  }

  /** @returns a text for each use of an option, such as `emea by 12 records` */
  async findOptions(
    change: ConfigurationChange,
    field: FieldDefinition,
    options: readonly string[],
  ): Promise<string[]> {
    const { routers, capacities } = await this.load(change, field);
    const { objectType, internalName } = field;
    const query = { objectType, field: internalName, values: options };
    const held = await this.values.count(change.tx, change.account, query);
    return options.flatMap((option) =>
      [
        ...counted(held.get(option)),
        ...routers.flatMap((router) =>
          usesByContents(router, (content) =>
            conditionsIn(content, internalName)
              .filter(({ condition }) => valuesOf(condition).includes(option.toLowerCase()))
              .map(({ use }) => use),
          ),
        ),
        ...capacities
          .filter(({ values }) => values.includes(option))
          .map(({ name }) => `the capacity ${name}`),
      ].map((use) => `${option} by ${use}`),
    );
  }

  /** Everything of the type of a field that may name it. */
  private async load(
    { tx, account }: ConfigurationChange,
    { objectType, internalName }: FieldName,
  ): Promise<{ routers: readonly RouterEntity[]; capacities: readonly CapacityEntity[] }> {
    const routers = await this.routers.listWithDrafts(tx, account);
    const capacities = await this.capacities.list(tx, account);
    return {
      routers: routers.filter((router) => router.objectType === objectType),
      capacities: capacities.filter((each) => each.objectType === objectType && each.field === internalName),
    };
  }
}

function counted(count = 0): string[] {
  if (count === 0) return [];
  return [count === 1 ? '1 record' : `${count} records`];
}
