import type { Directory } from '../../directory/index.js';
import {
  settingsIn,
  type RouterPart,
  type RouterSettings,
  type Setting,
  type SettingPlace,
  type Trigger,
} from '../../engine/model/router-configuration.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { restoreSettings } from './parse-settings.js';
import { withNames, type FlatSettings, type StoredSettings } from './people.js';

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

/** Renders settings. Parsing the result gives the same settings, but for what only stored ones have. */
export function renderSettings(settings: RouterSettings): FlatSettings {
  return render('router', settings, ({ kind }) => kind !== 'rotation');
}

/** As `renderSettings`, with the keys of the rotations that rules keep. `restoreSettings` reads it. */
export function renderStored(settings: RouterSettings): FlatSettings {
  return render('router', settings, () => true);
}

function render(
  place: SettingPlace,
  values: RouterSettings | RouterPart,
  isWanted: (setting: Setting) => boolean,
): FlatSettings {
  const shown = settingsIn(place).flatMap((setting): [string, unknown][] => {
    const value = (values as Readonly<Record<string, unknown>>)[setting.name];
    const isSparse = setting.sparse === true || place !== 'router';
    if (!isWanted(setting) || (isSparse && isDefault(value, setting, values))) return [];
    if (setting.kind !== 'rules' && setting.kind !== 'steps') return [[setting.key, value]];
    const part = setting.kind === 'rules' ? 'rule' : 'step';
    return [[setting.key, (value as RouterPart[]).map((each) => render(part, each, isWanted))]];
  });
  return Object.fromEntries(shown);
}

function isDefault(value: unknown, setting: Setting, of: RouterSettings | RouterPart): boolean {
  if (value === undefined || value === null) return true;
  if (setting.kind === 'trigger') return (value as Trigger).groups.length === 0;
  // A rule without steps would take those of the router, and a part without both lists its pool.
  if (setting.kind === 'steps' && 'users' in of) return false;
  if (Array.isArray(value)) return value.length === 0 && !('listsNobody' in of);
  return setting.sparse === true && value === setting.default;
}
