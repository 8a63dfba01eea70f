import type { DistributionModel } from '../distribution/distribution-model.js';
import { routeOf, type Route } from '../distribution/route.js';
import { compilePool } from '../pool/compile-pool.js';
import type { CompiledPool } from '../pool/compiled-pool.js';
import type {
  RotationType,
  RouterConfiguration,
  RouterPool,
  RouterSettings,
  Trigger,
} from '../model/router-configuration.js';
import type { CompiledTrigger } from '../trigger/compile-trigger.js';
import { rotationKeyOfRule } from '../model/rotation-key.js';
import { rulePools } from './rule-pool.js';

/** A compiled rule. */
export interface CompiledRule {
  readonly name: string;
  readonly trigger: CompiledTrigger;
  /** Null for a rule that assigns nobody. */
  readonly route: Route | null;
}

/** How the parts of a rule are compiled. */
export interface RuleParts {
  readonly compileTrigger: (trigger: Trigger) => CompiledTrigger;
  /** Throws for a model that is not registered. */
  readonly findModel: (id: string) => DistributionModel;
}

/**
 * Compiles the rules of a router. Parts that a rule leaves out are taken from the router; the rotation is
 * always its own.
 */
export function compileRules(
  config: RouterConfiguration,
  settings: RouterSettings,
  { compileTrigger, findModel }: RuleParts,
): readonly CompiledRule[] {
  const poolOf = rulePools(config);
  const compile = rememberPools();
  return settings.rules.map((rule) => {
    const { name } = rule;
    const trigger = compileTrigger(rule.trigger);
    if (rule.refuse === true) return { name, trigger, route: null };
    const pool = compile(poolOf(rule), rule.rotationType ?? settings.rotationType);
    const model = findModel(rule.distributionModel ?? settings.distributionModel);
    return { name, trigger, route: routeOf(rotationKeyOfRule(rule), pool, model) };
  });
}

/** Compiles each pool once: a thousand rules may all take the router's pool. */
function rememberPools(): (pool: RouterPool, rotationType: RotationType) => CompiledPool {
  const compiled = new Map<RouterPool, Map<RotationType, CompiledPool>>();
  return (pool, rotationType) => {
    const known = compiled.get(pool) ?? new Map<RotationType, CompiledPool>();
    compiled.set(pool, known);
    const result = known.get(rotationType) ?? compilePool(pool, rotationType);
    known.set(rotationType, result);
    return result;
  };
}
