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

  /** Returns what is missing to run a router, in words such as `the distribution model "priority"`. */
  of(
    { settings, objectType }: Pick<RouterConfiguration, 'settings' | 'objectType'>,
    catalog: FieldCatalog,
  ): readonly string[] {
    if (settings === null) return [];
    const named = namedParts(settings);
    const { models, operators } = this.engine.extensions;
    const types = [...named.fields].map((field) => catalog.get(objectType, field)?.type);
    return [
      ...beyond(named.models, models.map(idOf)).map((id) => `the distribution model "${id}"`),
      ...beyond(named.operators, operators.map(idOf)).map((id) => `the trigger operator "${id}"`),
      ...beyond(new Set(types), [undefined, ...this.types.ids()]).map((id) => `the field type "${id}"`),
    ];
  }
}

const idOf = ({ id }: { readonly id: string }): string => id;

function beyond<T>(named: ReadonlySet<T>, known: readonly T[]): T[] {
  return [...named].filter((id) => !known.includes(id));
}
