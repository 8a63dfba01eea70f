import type { RuleIdentity } from '../engine/index.js';

/** Settings in the form in which they are stored. */
type Stored = Readonly<Record<string, unknown>> | null;

type StoredRule = Readonly<Record<string, unknown>>;

/** A team in the rules of a router. */
export interface NamedTeam {
  /** Where it stands. */
  readonly field: string;
  readonly name: string;
}

/** Returns what identifies the rotations of stored rules. */
export function storedIdentities(settings: Stored): readonly RuleIdentity[] {
  return rulesOf(settings).map(({ id, name, rotation }) => ({
    ...(typeof id === 'string' ? { id } : {}),
    name: typeof name === 'string' ? name : '',
    ...(typeof rotation === 'string' ? { rotationKey: rotation } : {}),
  }));
}

/** Returns stored settings with the keys that can be configured: without the rotations of rules. */
export function configurableSettings(settings: Stored): Record<string, unknown> | null {
  if (settings?.['rules'] === undefined) return settings;
  return { ...settings, rules: rulesOf(settings).map(({ rotation: _, ...rule }) => rule) };
}

/** Returns the names, in lower case, of stored rules that list nobody, because those listed were archived. */
export function emptyRules(settings: Stored): ReadonlySet<string> {
  const empty = rulesOf(settings).filter(({ users, teams }) => isEmpty(users) && isEmpty(teams));
  return new Set(empty.flatMap(({ name }) => (typeof name === 'string' ? [name.toLowerCase()] : [])));
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** Returns the teams of stored rules, such as at `settings.rules[0].teams[1].name`. */
export function teamsOfRules(settings: Stored): NamedTeam[] {
  return rulesOf(settings).flatMap(({ teams }, index) =>
    (Array.isArray(teams) ? (teams as StoredRule[]) : []).flatMap(({ name }, place) =>
      typeof name === 'string' ? [{ field: `settings.rules[${index}].teams[${place}].name`, name }] : [],
    ),
  );
}

function rulesOf(settings: Stored): readonly StoredRule[] {
  const rules = settings?.['rules'];
  return Array.isArray(rules) ? (rules as StoredRule[]) : [];
}
