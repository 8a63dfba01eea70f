import { nameKey } from '../../text/canonical-text.js';
import { rotationKeyOfRule, type RuleIdentity } from '../model/rotation.js';
import type { RoutingRule } from '../model/router-configuration.js';

/**
 * Lets rules keep the rotations that they have had so far. A rule is the same as one before if both have the
 * same id, or the same name and not both have an id. So a rule may get an id, and then another name.
 *
 * @param before the rules that these replace
 * @returns the rules, each with a `rotationKey` where its id or name gives another key, or one that is taken
 */
export function keepRotations(
  rules: readonly RoutingRule[],
  before: readonly RuleIdentity[],
): readonly RoutingRule[] {
  const kept = rotationsKept(rules, before);
  const taken = new Set(kept.values());
  return rules.map((rule) => {
    const { rotationKey: _, ...rest } = rule;
    const usual = rotationKeyOfRule(rest);
    const key = kept.get(rule) ?? firstFree(usual, taken);
    taken.add(key);
    return key === usual ? rest : { ...rest, rotationKey: key };
  });
}

/** The rotation keys of the rules that were there before. */
function rotationsKept(
  rules: readonly RoutingRule[],
  before: readonly RuleIdentity[],
): ReadonlyMap<RoutingRule, string> {
  const left = new Set(before);
  const keys = new Map(before.map((other) => [other, nameKey(other.name)]));
  const kept = new Map<RoutingRule, string>();
  const keep = (rule: RoutingRule, isSame: (other: RuleIdentity) => boolean): void => {
    const same = kept.has(rule) ? undefined : [...left].find(isSame);
    if (same === undefined) return;
    left.delete(same);
    kept.set(rule, rotationKeyOfRule(same));
  };
  for (const rule of rules) keep(rule, ({ id }) => id !== undefined && id === rule.id);
  for (const rule of rules) {
    const key = nameKey(rule.name);
    keep(rule, (other) => keys.get(other) === key && (other.id === undefined || rule.id === undefined));
  }
  return kept;
}

/** The key, or the first one made of it that is free. Names and ids contain no tab. */
function firstFree(key: string, taken: ReadonlySet<string>): string {
  for (let n = 2, free = key; ; n++) {
    if (!taken.has(free)) return free;
    free = `${key}\t${n}`;
  }
}
