import { isPlainObject } from '../../text/is-plain-object.js';

/** The lists of settings whose items can name teams. */
const PARTS = ['rules', 'steps'];

/**
 * Returns stored settings of a router in which a team has another name: in its rules, and in the steps of
 * either. The same object where they do not name it.
 */
export function renameTeam<Settings extends Readonly<Record<string, unknown>> | null>(
  settings: Settings,
  { from, to }: { readonly from: string; readonly to: string },
): Settings {
  if (settings === null) return settings;
  const rename = (part: unknown): unknown => (isPlainObject(part) ? renameTeam(part, { from, to }) : part);
  const renamed = Object.entries(settings).map(([key, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [key, value];
    const list = value as readonly unknown[];
    if (key === 'teams') return [key, changedList(list, (team) => renamedTeam(team, { from, to }))];
    return [key, PARTS.includes(key) ? changedList(list, rename) : list];
  });
  const isSame = renamed.every(([key, value]) => value === settings[key]);
  return isSame ? settings : (Object.fromEntries(renamed) as Settings);
}

function renamedTeam(team: unknown, { from, to }: { readonly from: string; readonly to: string }): unknown {
  return isPlainObject(team) && team['name'] === from ? { ...team, name: to } : team;
}

function changedList(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((each, index) => each !== list[index]) ? changed : list;
}
