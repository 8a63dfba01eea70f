import type { ObjectType } from '../../fields/object-type.js';
import { shownName } from '../../text/shown-name.js';
import type { DistributionModel } from '../models/distribution-model.js';
import { collectIssues, type FieldIssue } from '../model/field-issue.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { conditionCheck, type KnownConditions } from './check-condition.js';
import { readSettings } from './read-settings.js';

/** Settings with every default applied, or every error of the given ones. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: RouterSettings }
  | { readonly ok: false; readonly errors: readonly FieldIssue[] };

/** The fields, operators and models that settings can name. */
export interface KnownParts extends KnownConditions {
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
  const check = conditionCheck(objectType, known, report);
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
