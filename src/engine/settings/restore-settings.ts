import type { ObjectType } from '../../fields/object-type.js';
import { collectIssues } from '../model/field-issue.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { readSettings } from './read-settings.js';

/**
 * Reads settings that `parseSettings` accepted when they were stored. Fields, users and options that a trigger names may
 * be gone since, so they are not looked up again: the compiled trigger says in the trace which conditions lost theirs.
 *
 * @throws RangeError for settings whose shape was never valid: to ignore a key could route to the wrong people
 */
export function restoreSettings(raw: unknown, objectType: ObjectType): RouterSettings {
  const { issues, report } = collectIssues();
  const settings = readSettings(raw, objectType, { report, check: () => undefined });
  if (issues.length > 0) {
    throw new RangeError(`Stored settings are invalid: ${issues.map((issue) => issue.message).join('; ')}`);
  }
  return settings;
}
