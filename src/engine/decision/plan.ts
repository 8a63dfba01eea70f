import type { ObjectType } from '../../fields/object-type.js';
import type {
  ListedPool,
  RotationType,
  RouterConfiguration,
  RouterSettings,
  RoutingStep,
} from '../model/router-configuration.js';
import { ROUTER_ROTATION_KEY, rotationKeyOfRule, rotationOfStep } from '../model/rotation.js';
import { BUILTIN_CHECKS, type EligibilityCheck } from '../eligibility/checks.js';
import type { DistributionModel } from '../models/distribution-model.js';
import { BUILTIN_MODELS } from '../models/models.js';
import {
  compilePool,
  type CompiledPool,
  isEmptyPool,
  listAnybody,
  poolOfRule,
  takesPool,
} from '../pool/pool.js';
import type { KnownConditions } from '../trigger/parse-trigger.js';
import { compileTrigger, fieldsOf, type CompiledTrigger } from '../trigger/trigger.js';

/**
 * A pool, the model that chooses from it, and the rotation in which its turns are taken. The stages of a
 * router or a rule are its own pool and its steps, which are tried one after the other until somebody has the
 * turn.
 */
export interface Stage {
  /** 0 for the own pool of the router or rule; 1 for the first of its steps. */
  readonly place: number;
  /** Empty for the router's own pool; else as `rotationKeyOfRule` and `rotationOfStep` say. */
  readonly rotationKey: string;
  readonly pool: CompiledPool;
  readonly model: DistributionModel;
}

/** A compiled rule. */
export interface CompiledRule {
  readonly name: string;
  readonly trigger: CompiledTrigger;
  /** Empty for a rule that assigns nobody. */
  readonly stages: readonly Stage[];
}

/** A compiled router. Immutable, and valid until its configuration, fields or extensions change. */
export interface CompiledRouter {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  readonly plan: Plan | null;
}

/** What a router does with a record. */
export interface Plan {
  readonly settings: RouterSettings;
  readonly trigger: CompiledTrigger;
  readonly rules: readonly CompiledRule[];
  /** The router's own pool and its steps; empty for a router that has rules and neither. */
  readonly stages: readonly Stage[];
  /** The most members that one decision looks at: those of all stages of a rule, or of the router itself. */
  readonly mostMembers: number;
}

export interface KnownParts extends KnownConditions {
  readonly models: readonly DistributionModel[];
}

/** Compiles a router. @throws RangeError for a distribution model that is not registered */
export function compileRouter(config: RouterConfiguration, known: KnownParts): CompiledRouter {
  const { id, objectType, published, settings } = config;
  return { id, objectType, published, plan: settings && compilePlan(config, settings, known) };
}

/**
 * The fields that the triggers of a router read, or undefined where a check or a model of an extension may
 * read any field. Decisions also read the owner field and the fields of capacities.
 */
export function fieldsRead(
  { plan }: CompiledRouter,
  models: readonly DistributionModel[],
  checks: readonly EligibilityCheck[],
): ReadonlySet<string> | undefined {
  const isBuiltIn =
    models.every((model) => BUILTIN_MODELS.includes(model)) &&
    checks.every((check) => BUILTIN_CHECKS.includes(check));
  const parts = plan === null ? [] : [plan, ...plan.rules];
  return isBuiltIn ? fieldsOf(parts.map(({ trigger }) => trigger)) : undefined;
}

/**
 * Compiles settings. What a rule leaves out is the router's; its rotation is always its own.
 * @throws RangeError for a model that is not registered
 */
export function compilePlan(config: RouterConfiguration, settings: RouterSettings, known: KnownParts): Plan {
  const findModel = (name: string): DistributionModel => {
    const model = known.models.find(({ id }) => id === name);
    if (model === undefined) throw new RangeError(`Distribution model not registered: ${name}`);
    return model;
  };
  const compile = rememberPools();
  const stagesOf = ({ key, pool, steps, ...whole }: Whole): Stage[] =>
    [OWN_POOL, ...steps].flatMap((step, place): Stage[] => {
      const from = takesPool(step) ? pool : step;
      if (from === null) return [];
      const rotationType = step.rotationType ?? whole.rotationType;
      const distributionModel = step.distributionModel ?? whole.distributionModel;
      // Turns by other weights are counted apart.
      const isOneRotation =
        from === pool && rotationType === whole.rotationType && distributionModel === whole.distributionModel;
      const rotationKey = isOneRotation ? key : `${key}\t${rotationOfStep(step, place)}`;
      return [{ place, rotationKey, pool: compile(from, rotationType), model: findModel(distributionModel) }];
    });
  const { steps, distributionModel, rotationType } = settings;
  // What the pools of the router's steps have fits its model, not that of a rule.
  const inherited = steps.map((step) =>
    takesPool(step) ? step : { distributionModel, rotationType, ...step },
  );
  const rules = settings.rules.map((rule): CompiledRule => {
    const trigger = compileTrigger(rule.trigger, config.objectType, known);
    const whole = {
      key: rotationKeyOfRule(rule),
      distributionModel: rule.distributionModel ?? distributionModel,
      rotationType: rule.rotationType ?? rotationType,
      ...poolOfRule(rule, config, inherited),
    };
    return { name: rule.name, trigger, stages: rule.refuse === true ? [] : stagesOf(whole) };
  });
  const beginsWithSteps = isEmptyPool(config) && (rules.length > 0 || listAnybody(steps));
  const stages = stagesOf({ ...settings, key: ROUTER_ROTATION_KEY, pool: beginsWithSteps ? null : config });
  const mostMembers = [{ stages }, ...rules].reduce((most, each) => Math.max(most, countMembers(each)), 0);
  const trigger = compileTrigger(settings.trigger, config.objectType, known);
  return { settings, trigger, rules, stages, mostMembers };
}

/** Returns the stages of a router and of its rules. */
export function allStages({ plan }: CompiledRouter): readonly Stage[] {
  return plan === null ? [] : [plan, ...plan.rules].flatMap(({ stages }) => stages);
}

/** Returns the number of members that a decision looks at where nobody is eligible. */
export function countMembers({ stages }: Pick<CompiledRule, 'stages'>): number {
  return stages.reduce((sum, { pool }) => sum + pool.members, 0);
}

/** The own pool of a router or rule, as a step that takes it. */
const OWN_POOL: RoutingStep = { users: [], teams: [] };

/** What stages are made of: that of a router, or of a rule with what it takes from its router. */
interface Whole extends Pick<RouterSettings, 'distributionModel' | 'rotationType' | 'steps'> {
  readonly key: string;
  /** Null for a whole that has none, so that it begins with its steps. */
  readonly pool: ListedPool | null;
}

/** Compiles each pool once: a thousand rules may all take the router's pool, or list the same teams. */
function rememberPools(): (pool: ListedPool, rotationType: RotationType) => CompiledPool {
  const compiled = new Map<string, CompiledPool>();
  const keys = new Map<ListedPool, string>();
  const lists = new Map<unknown, number>();
  const numberOf = (members: unknown): number => {
    const known = lists.get(members) ?? lists.size;
    lists.set(members, known);
    return known;
  };
  const keyOf = ({ users, teams }: ListedPool): string =>
    JSON.stringify([users, teams.map(({ members, ...team }) => [team, numberOf(members)])]);
  return (pool, rotationType) => {
    const own = keys.get(pool) ?? keyOf(pool);
    keys.set(pool, own);
    const key = `${rotationType} ${own}`;
    const known = compiled.get(key) ?? compilePool(pool, rotationType);
    compiled.set(key, known);
    return known;
  };
}
