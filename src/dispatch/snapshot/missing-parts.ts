import type { EngineExtensions, RouterConfiguration } from '../../engine/index.js';
import type { RoutingRule, RoutingStep } from '../../engine/model/router-configuration.js';
import type { FieldCatalog, FieldTypeRegistry } from '../../fields/index.js';
import { partsOf } from '../../routers/index.js';

/** What may be named. */
interface Provided extends Pick<EngineExtensions, 'models' | 'operators'> {
  readonly types: FieldTypeRegistry;
  readonly catalog: FieldCatalog;
}

/** What a router names and no extension provides, in words: `the distribution model "priority"`. */
export function missingParts(
  { settings, objectType }: Pick<RouterConfiguration, 'settings' | 'objectType'>,
  { models, operators, types, catalog }: Provided,
): readonly string[] {
  if (settings === null) return [];
  const { distributionModel, trigger, rules } = settings;
  const parts = partsOf<RoutingRule | RoutingStep>(settings);
  const named = [distributionModel, ...parts.map(({ part }) => part.distributionModel ?? distributionModel)];
  const conditions = [trigger, ...rules.map((rule) => rule.trigger)].flatMap(({ groups }) =>
    groups.flatMap((group) => group.conditions),
  );
  const used = conditions.map(({ field }) => catalog.get(objectType, field)?.type);
  return [
    ...beyond(named, models.map(idOf)).map((id) => `the distribution model "${id}"`),
    ...beyond(
      conditions.map(({ operator }) => operator),
      operators.map(idOf),
    ).map((id) => `the trigger operator "${id}"`),
    ...beyond(used, [undefined, ...types.ids()]).map((id) => `the field type "${id}"`),
  ];
}

const idOf = ({ id }: { readonly id: string }): string => id;

function beyond<T>(named: readonly T[], known: readonly T[]): T[] {
  return [...new Set(named)].filter((id) => !known.includes(id));
}
