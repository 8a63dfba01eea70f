import { nameKey } from '../../text/canonical-text.js';
import { rotationKeyOfRule, rotationOfStep, type PartIdentity } from '../model/rotation.js';
import type { RoutingRule, RoutingStep } from '../model/router-configuration.js';

/**
 * Lets rules keep the rotations that they have had so far, and their steps too. A rule is the same as one
 * before if both have the same id, or the same name and not both have an id. So a rule may get an id, and
 * then another name.
 *
 * @param before the rules that these replace
 * @param routerSteps those of the router, which a rule without steps of its own had
 * @returns the rules, each with a `rotationKey` where its id or name gives another key, or one that is taken
 */
export function keepRotations(
  rules: readonly RoutingRule[],
  before: readonly RoutingRule[],
  routerSteps: readonly RoutingStep[] = [],
): readonly RoutingRule[] {
  return keep(rules, before, rotationKeyOfRule).map(({ part: { steps, ...rule }, same }) =>
    steps
      ? { ...rule, steps: keepStepRotations(steps, same === undefined ? [] : (same.steps ?? routerSteps)) }
      : rule,
  );
}

/** As `keepRotations`, for steps. One without id and name is the one that was in its place. */
export function keepStepRotations(
  steps: readonly RoutingStep[],
  before: readonly RoutingStep[],
): readonly RoutingStep[] {
  return keep(steps, before, rotationOfStep).map(({ part }) => part);
}

interface Kept<Part> {
  readonly part: Part;
  readonly same: Part | undefined;
}

/** @param keyOf what names the rotation of a part in its place, from 1 */
function keep<Part extends PartIdentity>(
  parts: readonly Part[],
  before: readonly Part[],
  keyOf: (part: PartIdentity, place: number) => string,
): Kept<Part>[] {
  const kept = samePlaces(parts, before);
  const keys = before.map((part, index) => keyOf(part, index + 1));
  const taken = new Set([...kept.values()].map((index) => keys[index] ?? ''));
  return parts.map((part, index) => {
    const { rotationKey: _, ...rest } = part;
    const usual = keyOf(rest as PartIdentity, index + 1);
    const place = kept.get(index) ?? -1;
    const key = keys[place] ?? firstFree(usual, taken);
    taken.add(key);
    const named = key === usual ? rest : { ...rest, rotationKey: key };
    return { part: named as Part, same: before[place] };
  });
}

/** Where each part was before, by index; those that are new are missing. */
function samePlaces(
  parts: readonly PartIdentity[],
  before: readonly PartIdentity[],
): ReadonlyMap<number, number> {
  const left = new Map(before.entries());
  const kept = new Map<number, number>();
  const match = (find: (part: PartIdentity, index: number) => number | undefined): void => {
    for (const [index, part] of parts.entries()) {
      const same = kept.has(index) ? undefined : find(part, index);
      if (same === undefined || !left.delete(same)) continue;
      kept.set(index, same);
    }
  };
  // No two parts of a list have the same id, or the same name.
  const places = (keyOf: (part: PartIdentity) => string | undefined): ReadonlyMap<unknown, number> =>
    new Map(before.map((part, place) => [keyOf(part) ?? place, place]));
  const [byId, byName] = [places(({ id }) => id), places(keyOfName)];
  match(({ id }) => (id === undefined ? undefined : byId.get(id)));
  match((part) => {
    const same = part.name === undefined ? undefined : byName.get(keyOfName(part));
    const isKnown = part.id !== undefined && same !== undefined && before[same]?.id !== undefined;
    return isKnown ? undefined : same;
  });
  match((part, index) => {
    const other = left.get(index);
    return other !== undefined && (isNameless(part) || isNameless(other)) ? index : undefined;
  });
  return kept;
}

function keyOfName({ name }: PartIdentity): string | undefined {
  return name === undefined ? undefined : nameKey(name);
}

function isNameless({ id, name }: PartIdentity): boolean {
  return (id ?? name) === undefined;
}

/** The key, or the first one made of it that is free. Names and ids contain no tab. */
function firstFree(key: string, taken: ReadonlySet<string>): string {
  for (let n = 2, free = key; ; n++) {
    if (!taken.has(free)) return free;
    free = `${key}\t${n}`;
  }
}
