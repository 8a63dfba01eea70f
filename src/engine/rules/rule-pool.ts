import type { ListedPool, RouterPart, RoutingRule, RoutingStep } from '../model/router-configuration.js';

/** Whether a pool is empty. */
export function isEmptyPool({ users, teams }: ListedPool): boolean {
  return users.length === 0 && teams.length === 0;
}

/** Whether a rule takes the pool of its router, or a step that of what it belongs to. */
export function takesPool(part: RouterPart): boolean {
  return isEmptyPool(part) && part.listsNobody !== true;
}

/** Whether there is a pool in steps: what has no pool of its own begins with them. */
export function listAnybody(steps: readonly RouterPart[]): boolean {
  return !steps.every(takesPool);
}

/**
 * The pool and the steps of a rule, with what it leaves out from its router. A rule that lists nobody and has
 * steps that do begins with these.
 * @returns `pool` null for none
 */
export function poolOfRule(
  rule: RoutingRule,
  router: ListedPool,
  routerSteps: readonly RoutingStep[],
): { readonly pool: ListedPool | null; readonly steps: readonly RoutingStep[] } {
  const steps = rule.steps ?? routerSteps;
  if (!takesPool(rule)) return { pool: rule, steps };
  const beginsWithSteps = listAnybody(steps) && (rule.steps != null || isEmptyPool(router));
  return { pool: beginsWithSteps ? null : router, steps };
}
