import type { ObjectType } from '../../fields/object-type.js';
import type {
  RotationType,
  RouterConfiguration,
  RouterPool,
  RouterSettings,
  Trigger,
} from '../model/router-configuration.js';
import { ROUTER_ROTATION_KEY, rotationKeyOfRule } from '../model/rotation.js';
import type { DistributionModel } from '../models/distribution-model.js';
import { compilePool, emailsOf, type CompiledPool } from '../pool/pool.js';
import { isEmptyPool, rulePools } from '../rules/rule-pool.js';
import type { CompiledTrigger } from '../trigger/compile-trigger.js';

/**
 * A pool, the model that chooses from it, and the rotation in which its turns are taken. The stages of a
 * router or a rule are tried one after the other until somebody has the turn.
 */
export interface Stage {
  /** Empty for the router's own pool; see `rotationKeyOfRule` for the pool of a rule. */
  readonly rotationKey: string;
  readonly pool: CompiledPool;
  /** Of everyone in the pool, each once. */
  readonly emails: readonly string[];
  readonly model: DistributionModel;
}

/** A compiled rule. */
export interface CompiledRule {
  readonly name: string;
  readonly trigger: CompiledTrigger;
  /** Empty for a rule that assigns nobody. */
  readonly stages: readonly Stage[];
}

/**
 * A router compiled for any number of decisions. Immutable. Valid until the configuration, the fields or the
 * extensions change from which it was compiled.
 */
export interface CompiledRouter {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  /** Null for a router without settings. */
  readonly plan: Plan | null;
}

/** What a router does with a record. */
export interface Plan {
  readonly settings: RouterSettings;
  readonly trigger: CompiledTrigger;
  readonly rules: readonly CompiledRule[];
  /** The router's own pool; empty for a router that has rules and no pool of its own. */
  readonly stages: readonly Stage[];
  /** The number of members of its largest pool. */
  readonly mostMembers: number;
}

/** How the parts of a plan are compiled. */
export interface PlanParts {
  readonly compileTrigger: (trigger: Trigger) => CompiledTrigger;
  /** @throws RangeError for a model that is not registered */
  readonly findModel: (id: string) => DistributionModel;
}

/**
 * Compiles the settings of a router. Parts that a rule leaves out are taken from the router; the rotation is
 * always its own.
 */
export function compilePlan(
  config: RouterConfiguration,
  settings: RouterSettings,
  { compileTrigger, findModel }: PlanParts,
): Plan {
  const poolOf = rulePools(config);
  const compile = rememberPools();
  const rules = settings.rules.map((rule): CompiledRule => {
    const { name, distributionModel, rotationType } = rule;
    const trigger = compileTrigger(rule.trigger);
    if (rule.refuse === true) return { name, trigger, stages: [] };
    const pool = compile(poolOf(rule), rotationType ?? settings.rotationType);
    const model = findModel(distributionModel ?? settings.distributionModel);
    return { name, trigger, stages: [stageOf(rotationKeyOfRule(rule), pool, model)] };
  });
  const model = findModel(settings.distributionModel);
  const pool = compilePool(config, settings.rotationType);
  const hasPool = rules.length === 0 || !isEmptyPool(config);
  const stages = hasPool ? [stageOf(ROUTER_ROTATION_KEY, pool, model)] : [];
  const sizes = [{ stages }, ...rules].flatMap((each) => each.stages.map(({ emails }) => emails.length));
  const mostMembers = sizes.reduce((most, size) => Math.max(most, size), 0);
  return { settings, trigger: compileTrigger(settings.trigger), rules, stages, mostMembers };
}

function stageOf(rotationKey: string, pool: CompiledPool, model: DistributionModel): Stage {
  return { rotationKey, pool, emails: emailsOf(pool), model };
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
