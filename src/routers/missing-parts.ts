import { Injectable } from '@nestjs/common';
import { AssignmentEngine, namedParts, type RouterConfiguration } from '../engine/index.js';
import { FieldTypeRegistry, type FieldCatalog } from '../fields/index.js';

/** Finds what routers name that an extension has to provide and none does. */
@Injectable()
export class MissingParts {
  constructor(
    private readonly engine: AssignmentEngine,
    private readonly types: FieldTypeRegistry,
  ) {}

  /** The ids of all models, operators and field types that are registered. */
  get known(): Readonly<Record<'models' | 'operators' | 'types', readonly string[]>> {
    const { models, operators } = this.engine.extensions;
    return {
      models: models.map(({ id }) => id),
      operators: operators.map(({ id }) => id),
      types: this.types.ids(),
    };
  }

  /** Returns what is missing to run a router, in words such as `the distribution model "priority"`. */
  of(
    { settings, objectType }: Pick<RouterConfiguration, 'settings' | 'objectType'>,
    catalog: FieldCatalog,
  ): readonly string[] {
    if (settings === null) return [];
    const named = namedParts(settings);
    const { models, operators } = this.known;
    const types = [...named.fields].map((field) => catalog.get(objectType, field)?.type);
    return [
      ...beyond(named.models, models).map((id) => `the distribution model "${id}"`),
      ...beyond(named.operators, operators).map((id) => `the trigger operator "${id}"`),
      ...beyond(new Set(types), [undefined, ...this.types.ids()]).map((id) => `the field type "${id}"`),
    ];
  }
}

function beyond<T>(named: ReadonlySet<T>, known: readonly T[]): T[] {
  return [...named].filter((id) => !known.includes(id));
}
