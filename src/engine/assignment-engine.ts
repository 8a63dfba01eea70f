import type { CompiledRouter } from './routing/compiled-router.js';
import { decide } from './decision/decide.js';
import type { Decision, DecisionInput, RecordInput } from './model/decision.js';
import {
  requiredWorkloads,
  type RequiredWorkloads,
  type RequirementInput,
} from './decision/required-workloads.js';
import { routeRecord, type Routed } from './routing/route-record.js';
import type { DistributionModel } from './distribution/distribution-model.js';
import { routeOf } from './distribution/route.js';
import type { EligibilityCheck } from './eligibility/eligibility-check.js';
import { compilePool } from './pool/compile-pool.js';
import { ROUTER_ROTATION_KEY } from './model/rotation-key.js';
import type { RouterConfiguration, Trigger } from './model/router-configuration.js';
import { compileRules } from './rules/compile-rules.js';
import { isEmptyPool } from './rules/rule-pool.js';
import { compileTrigger } from './trigger/compile-trigger.js';
import type { FieldLookup } from './trigger/field-lookup.js';
import { FieldSlots } from './trigger/record-values.js';
import type { TriggerOperator } from './trigger/trigger-operator.js';

/** What the engine is made of: the built-in ones, and those of others. Ids are unique within each list. */
export interface EngineExtensions {
  readonly operators: readonly TriggerOperator[];
  readonly models: readonly DistributionModel[];
  /** Run in this order; every failing one is named in the trace. */
  readonly checks: readonly EligibilityCheck[];
}

/** Decides who gets a record (contract, section 4). Pure: no I/O, no clock, no randomness. */
export class AssignmentEngine {
  private readonly operators: ReadonlyMap<string, TriggerOperator>;
  private readonly models: ReadonlyMap<string, DistributionModel>;

  /** @throws RangeError when two extensions of a kind have the same id */
  constructor(readonly extensions: EngineExtensions) {
    this.operators = byId('trigger operator', extensions.operators);
    this.models = byId('distribution model', extensions.models);
    byId('eligibility check', extensions.checks);
  }

  /**
   * Makes a router ready for decisions: operands read, pools arranged.
   * @throws RangeError when a distribution model, the router's or a rule's, is not registered
   */
  compile(config: RouterConfiguration, fields: FieldLookup): CompiledRouter {
    const { id, objectType, published, settings } = config;
    if (settings === null) {
      return { id, objectType, published, plan: null };
    }
    const slots = new FieldSlots();
    const { operators } = this;
    const compile = (trigger: Trigger) => compileTrigger(trigger, objectType, { fields, operators, slots });
    const model = this.findModel(settings.distributionModel);
    const rules = compileRules(config, settings, {
      compileTrigger: compile,
      findModel: (name) => this.findModel(name),
    });
    const route =
      rules.length > 0 && isEmptyPool(config)
        ? null
        : routeOf(ROUTER_ROTATION_KEY, compilePool(config, settings.rotationType), model);
    return {
      id,
      objectType,
      published,
      plan: { settings, trigger: compile(settings.trigger), rules, route },
    };
  }

  /**
   * Weighs trigger and rules, which need nothing but the record: the pool that gets it, or the refusal. Loading what the
   * decision needs (`needs`) and making it (`decide`) go on from there.
   */
  route(router: CompiledRouter, record: RecordInput): Routed {
    return routeRecord(router, record);
  }

  /** Whose workloads the decision on a routed record needs; all empty where it needs none. */
  requiredWorkloads(routed: Routed, input: RequirementInput): RequiredWorkloads {
    return requiredWorkloads(routed, input);
  }

  /** Decides on a routed record. The caller stores the rotation of the decision, if any, and hands it in with the next one. */
  decide(routed: Routed, input: DecisionInput): Decision {
    return decide(routed, this.extensions.checks, input);
  }

  private findModel(id: string): DistributionModel {
    const model = this.models.get(id);
    if (model === undefined) {
      throw new RangeError(`Distribution model not registered: ${id}`);
    }
    return model;
  }
}

function byId<Extension extends { readonly id: string }>(
  kind: string,
  extensions: readonly Extension[],
): ReadonlyMap<string, Extension> {
  const map = new Map<string, Extension>();
  for (const extension of extensions) {
    if (map.has(extension.id)) {
      throw new RangeError(`Registered twice: ${kind} ${extension.id}`);
    }
    map.set(extension.id, extension);
  }
  return map;
}
