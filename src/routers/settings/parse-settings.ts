import { collectIssues, type FieldIssue } from '../../engine/model/field-issue.js';
import type { RouterSettings } from '../../engine/model/router-configuration.js';
import type { DistributionModel } from '../../engine/models/distribution-model.js';
import { conditionCheck, type KnownConditions } from '../../engine/trigger/parse-trigger.js';
import type { ObjectType } from '../../fields/index.js';
import { shownName } from '../../text/shown-name.js';
import { readSettings } from './read-settings.js';

/** Settings with every default applied, or every error of the given ones. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: RouterSettings }
  | { readonly ok: false; readonly errors: readonly FieldIssue[] };

/** The fields, operators and models that settings can name. */
export interface KnownParts extends KnownConditions {
  /** The distribution models that are registered. */
  readonly models: readonly DistributionModel[];
  /** See `Reading`. */
  readonly emptyRules?: ReadonlySet<string>;
}

/**
 * Validates the flat form of a router's settings (contract, section 4), and reports every error with its
 * path, such as `settings.rules[2].trigger.groups[0].conditions[0].operator`. `validateRouter` checks what
 * depends on the pool.
 */
export function parseSettings(raw: unknown, objectType: ObjectType, known: KnownParts): SettingsResult {
  const { issues, report } = collectIssues();
  const check = conditionCheck(objectType, known, report);
  const models = known.models.map(({ id }) => id);
  const { emptyRules } = known;
  const settings = readSettings(raw, { objectType, report, check, models, emptyRules });
  const { ownerField } = settings;
  if (known.fields(objectType, ownerField)?.definition.type !== 'user') {
    const message = `owner_field must be a field of ${objectType} of type user: ${shownName(ownerField)} is none`;
    report('settings.owner_field', message);
  }
  return issues.length === 0 ? { ok: true, settings } : { ok: false, errors: issues };
}

/**
 * Reads stored settings, which `parseSettings` accepted before, with users and teams by their names. Fields,
 * users and options that a trigger names may have been removed since, so they are not checked again.
 *
 * @throws RangeError for settings that were never valid: ignoring a key could assign records to the wrong
 *   users
 */
export function restoreSettings(raw: unknown, objectType: ObjectType): RouterSettings {
  const { issues, report } = collectIssues();
  const settings = readSettings(raw, { objectType, report, check: () => undefined, isStored: true });
  if (issues.length > 0) {
    throw new RangeError(`Stored settings are invalid: ${issues.map(({ message }) => message).join('; ')}`);
  }
  return settings;
}
