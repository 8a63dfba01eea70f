import { isPlainObject } from '../../text/is-plain-object.js';
import { mapped, mappedList } from './mapped.js';

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
  return mapped(settings, (value, key) => {
    if (!Array.isArray(value)) return value;
    if (key === 'teams') return mappedList(value, (team) => renamedTeam(team, names));
    return PARTS.includes(key) ? mappedList(value, rename) : (value as readonly unknown[]);
  });
}

function renamedTeam(team: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isPlainObject(team) || typeof team['name'] !== 'string') return team;
  const name = names.get(team['name']);
  return name === undefined ? team : { ...team, name };
}
