import type { RouterSettings } from '../model/router-configuration.js';
import { renderSettings, type FlatRule, type FlatSettings } from './render-settings.js';

/** The stored form of settings: the flat form, and in its rules the keys of the rotations that they keep. */
export type StoredSettings = Omit<FlatSettings, 'rules'> & {
  readonly rules?: readonly (FlatRule & { readonly rotation?: string })[];
};

/** Renders settings as they are stored. `restoreSettings` gives the same settings. */
export function storeSettings(settings: RouterSettings): StoredSettings {
  const { rules, ...flat } = renderSettings(settings);
  if (rules === undefined) return flat;
  return {
    ...flat,
    rules: rules.map((rule, index) => {
      const rotation = settings.rules[index]?.rotationKey;
      return rotation === undefined ? rule : { ...rule, rotation };
    }),
  };
}
