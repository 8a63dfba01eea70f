import type { RouterSettings } from '../model/router-configuration.js';

/** What settings name that may not be there any more: ids of models and operators, names of fields. */
export interface NamedParts {
  readonly models: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  /** Those of conditions. */
  readonly fields: ReadonlySet<string>;
}

/** Returns the models of a router and its rules, and the operators and fields of their conditions. */
export function namedParts({ distributionModel, trigger, rules }: RouterSettings): NamedParts {
  const conditions = [trigger, ...rules.map((rule) => rule.trigger)].flatMap(({ groups }) =>
    groups.flatMap((group) => group.conditions),
  );
  return {
    models: new Set([distributionModel, ...rules.map((rule) => rule.distributionModel ?? distributionModel)]),
    operators: new Set(conditions.map(({ operator }) => operator)),
    fields: new Set(conditions.map(({ field }) => field)),
  };
}
