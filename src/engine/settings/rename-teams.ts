import { isPlainObject } from '../../text/is-plain-object.js';

/** The lists of settings whose items can name teams. */
const PARTS = ['rules', 'steps'];

/**
 * Returns stored settings of a router in which teams have other names: in its rules, and in the steps of
 * either. The same object where they name none of them.
 * @param names the new names by the former ones, which change all at once
 */
export function renameTeams<Settings extends Readonly<Record<string, unknown>> | null>(
  settings: Settings,
  names: ReadonlyMap<string, string>,
): Settings {
  if (settings === null) return settings;
  const rename = (part: unknown): unknown => (isPlainObject(part) ? renameTeams(part, names) : part);
  const renamed = Object.entries(settings).map(([key, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [key, value];
    const list = value as readonly unknown[];
    if (key === 'teams') return [key, changedList(list, (team) => renamedTeam(team, names))];
    return [key, PARTS.includes(key) ? changedList(list, rename) : list];
  });
  const isSame = renamed.every(([key, value]) => value === settings[key]);
  return isSame ? settings : (Object.fromEntries(renamed) as Settings);
}

function renamedTeam(team: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isPlainObject(team) || typeof team['name'] !== 'string') return team;
  const name = names.get(team['name']);
  return name === undefined ? team : { ...team, name };
}

function changedList(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((each, index) => each !== list[index]) ? changed : list;
}
