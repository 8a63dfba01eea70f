import { Injectable } from '@nestjs/common';
import { AssignmentEngine, type RouterConfiguration } from '../engine/index.js';
import type { RoutingRule, RoutingStep } from '../engine/model/router-configuration.js';
import { FieldTypeRegistry, type FieldCatalog } from '../fields/index.js';
import { partsOf } from './settings/parts.js';

/** Finds what routers name that an extension has to provide and none does. */
@Injectable()
export class MissingParts {
  constructor(
    private readonly engine: AssignmentEngine,
    private readonly types: FieldTypeRegistry,
  ) {}

  /** Returns what is missing to run a router, in words such as `the distribution model "priority"`. */
  of(
    { settings, objectType }: Pick<RouterConfiguration, 'settings' | 'objectType'>,
    catalog: FieldCatalog,
  ): readonly string[] {
    if (settings === null) return [];
    const { distributionModel, trigger, rules } = settings;
    const parts = partsOf<RoutingRule | RoutingStep>(settings);
    const named = [
      distributionModel,
      ...parts.map(({ part }) => part.distributionModel ?? distributionModel),
    ];
    const conditions = [trigger, ...rules.map((rule) => rule.trigger)].flatMap(({ groups }) =>
      groups.flatMap((group) => group.conditions),
    );
    const types = conditions.map(({ field }) => catalog.get(objectType, field)?.type);
    const { models, operators } = this.engine.extensions;
    return [
      ...beyond(named, models.map(idOf)).map((id) => `the distribution model "${id}"`),
      ...beyond(
        conditions.map(({ operator }) => operator),
        operators.map(idOf),
      ).map((id) => `the trigger operator "${id}"`),
      ...beyond(types, [undefined, ...this.types.ids()]).map((id) => `the field type "${id}"`),
    ];
  }
}

const idOf = ({ id }: { readonly id: string }): string => id;

function beyond<T>(named: readonly T[], known: readonly T[]): T[] {
  return [...new Set(named)].filter((id) => !known.includes(id));
}
