import type { ObjectType } from '../../fields/object-type.js';
import { shownName } from '../../text/shown-name.js';
import type { DistributionModel } from '../distribution/distribution-model.js';
import { collectIssues, type FieldIssue } from '../model/field-issue.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { FieldLookup } from '../trigger/field-lookup.js';
import type { TriggerOperator } from '../trigger/trigger-operator.js';
import { readSettings } from './read-settings.js';
import type { CheckCondition } from './read-trigger.js';

/** Settings with every default applied, or every error of the given ones. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: RouterSettings }
  | { readonly ok: false; readonly errors: readonly FieldIssue[] };

/** The fields, operators and models that settings can name. */
export interface KnownParts {
  /** The fields of the account, system-managed ones included. */
  readonly fields: FieldLookup;
  /** The operators that are registered. */
  readonly operators: readonly TriggerOperator[];
  /** The distribution models that are registered. */
  readonly models: readonly DistributionModel[];
  /** Names, in lower case, of rules that may list nobody, because they do so already. Default: none. */
  readonly emptyRules?: ReadonlySet<string>;
}

/**
 * Validates the flat form of a router's settings (contract, section 4). Refuses unknown keys and wrong types,
 * an owner field that is not a `user` field of the type, models that are not registered, and triggers (those
 * of the rules included) with unknown fields or operators or with invalid operands. Reports every error with
 * its path, such as `settings.rules[2].trigger.groups[0].conditions[0].operator`.
 *
 * `validateRouter` checks what depends on the pool.
 */
export function parseSettings(raw: unknown, objectType: ObjectType, known: KnownParts): SettingsResult {
  const { issues, report } = collectIssues();
  const { fields, emptyRules } = known;
  const operators = new Map(known.operators.map((operator) => [operator.id, operator]));

  const check: CheckCondition = ({ field: name, operator: id, value }, path) => {
    const field = fields(objectType, name);
    const operator = operators.get(id);
    if (field === undefined) report(`${path}.field`, `Unknown field of ${objectType}: ${shownName(name)}`);
    if (operator === undefined) {
      report(
        `${path}.operator`,
        `Unknown operator: ${shownName(id)} (known: ${[...operators.keys()].join(', ')})`,
      );
    }
    const compiled = field === undefined ? undefined : operator?.compile(value, field);
    if (compiled?.ok === false) report(`${path}.${compiled.blame}`, compiled.message);
  };
  const settings = readSettings(raw, objectType, { report, check, emptyRules });

  const owner = fields(objectType, settings.ownerField);
  if (owner?.definition.type !== 'user') {
    report(
      'settings.owner_field',
      `owner_field must be a field of ${objectType} of type user: ${shownName(settings.ownerField)} is none`,
    );
  }
  const models = known.models.map((model) => model.id);
  const chosen = [
    { path: 'settings', model: settings.distributionModel },
    ...settings.rules.map(({ distributionModel: model }, index) => ({
      path: `settings.rules[${index}]`,
      model,
    })),
  ];
  for (const { path, model } of chosen) {
    if (model !== null && !models.includes(model)) {
      report(`${path}.distribution_model`, `distribution_model must be one of: ${models.join(', ')}`);
    }
  }
  return issues.length === 0 ? { ok: true, settings } : { ok: false, errors: issues };
}
