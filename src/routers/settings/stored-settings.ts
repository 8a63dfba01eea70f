import type { Directory } from '../../directory/index.js';
import type { RouterSettings } from '../../engine/model/router-configuration.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { restoreSettings } from './parse-settings.js';
import { withNames, type StoredSettings } from './people.js';
import { renderSettings, type FlatSettings } from './render-settings.js';

/** What is read of a router, or of a version of one. */
interface Configured {
  readonly objectType: ObjectType;
  readonly settings: StoredSettings | null;
}

/** Returns the stored settings of a router with the present names of users and teams; null for none. */
export function settingsOf(
  { settings, objectType }: Configured,
  directory: Directory,
): RouterSettings | null {
  return settings === null ? null : restoreSettings(withNames(settings, directory), objectType);
}

/** As `settingsOf`, in the flat form of answers and files. */
export function shownSettings(configured: Configured, directory: Directory): FlatSettings | null {
  const settings = settingsOf(configured, directory);
  return settings === null ? null : renderSettings(settings);
}

/** The owner field of a router whose settings are as they are stored. */
export function ownerFieldOf(objectType: ObjectType, settings: StoredSettings | null): string {
  const given = settings?.['owner_field'];
  return typeof given === 'string' ? given : OBJECT_TYPE_RULES[objectType].ownerField;
}
