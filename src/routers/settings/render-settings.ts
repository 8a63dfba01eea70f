import type { RouterPart, RouterSettings, Trigger } from '../../engine/model/router-configuration.js';
import { settingsIn, type Setting, type SettingPlace } from '../../engine/model/setting-keys.js';

/**
 * The flat form of settings in answers and files (contract, section 4): every key, defaults included, except
 * those that only some routers have. In rules, what is not taken from the router.
 */
export type FlatSettings = Readonly<Record<string, unknown>>;

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
    if (!isWanted(setting) || (isSparse(setting, place) && isDefault(value, setting, values))) return [];
    if (setting.kind !== 'rules' && setting.kind !== 'steps') return [[setting.key, value]];
    const part = setting.kind === 'rules' ? 'rule' : 'step';
    return [[setting.key, (value as RouterPart[]).map((each) => render(part, each, isWanted))]];
  });
  return Object.fromEntries(shown);
}

function isSparse({ sparse }: Setting, place: SettingPlace): boolean {
  return sparse === true || place !== 'router';
}

function isDefault(value: unknown, setting: Setting, of: RouterSettings | RouterPart): boolean {
  if (value === undefined || value === null) return true;
  if (setting.kind === 'trigger') return (value as Trigger).groups.length === 0;
  // A rule without steps would take those of the router, and a part without both lists its pool.
  if (setting.kind === 'steps' && 'users' in of) return false;
  if (Array.isArray(value)) return value.length === 0 && !('listsNobody' in of);
  return setting.sparse === true && value === setting.default;
}
