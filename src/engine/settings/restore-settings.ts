import type { ObjectType } from '../../fields/object-type.js';
import { collectIssues } from '../model/field-issue.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { readSettings } from './read-settings.js';

/**
 * Reads stored settings, which `parseSettings` accepted before. Fields, users and options that a trigger
 * names may have been removed since, so they are not checked again; the trace names the conditions that lost
 * theirs.
 *
 * @throws RangeError for settings that were never valid: ignoring a key could assign records to the wrong
 *   users
 */
export function restoreSettings(raw: unknown, objectType: ObjectType): RouterSettings {
  const { issues, report } = collectIssues();
  const settings = readSettings(raw, objectType, {
    report,
    check: () => undefined,
    isStored: true,
  });
  if (issues.length > 0) {
    throw new RangeError(`Stored settings are invalid: ${issues.map((issue) => issue.message).join('; ')}`);
  }
  return settings;
}
