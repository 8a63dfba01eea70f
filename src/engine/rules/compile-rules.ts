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
import { ruleRotationKey } from '../model/rotation-key.js';
import { rulePools } from './rule-pool.js';

/** A rule made ready. */
export interface CompiledRule {
  readonly name: string;
  readonly trigger: CompiledTrigger;
  readonly route: Route;
}

/**
 * Makes a router's rules ready: what a rule leaves out it takes from the router, but its rotation is its own.
 *
 * @param findModel throws for a model that is not registered
 */
export function compileRules(
  config: RouterConfiguration,
  settings: RouterSettings,
  compileTrigger: (trigger: Trigger) => CompiledTrigger,
  findModel: (id: string) => DistributionModel,
): readonly CompiledRule[] {
  const poolOf = rulePools(config);
  const compile = rememberPools();
  return settings.rules.map((rule) => {
    const pool = compile(poolOf(rule), rule.rotationType ?? settings.rotationType);
    const model = findModel(rule.distributionModel ?? settings.distributionModel);
    return {
      name: rule.name,
      trigger: compileTrigger(rule.trigger),
      route: routeOf(ruleRotationKey(rule.name), pool, model),
    };
  });
}

/** A thousand rules may all take the router's pool. */
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
