import type { CompiledRouter } from './compiled-router.js';
import { decide } from './decision/decide.js';
import type { Decision, DecisionInput } from './decision/decision.js';
import type { DistributionModel } from './distribution/distribution-model.js';
import type { EligibilityCheck } from './eligibility/eligibility-check.js';
import { compilePool } from './pool/compile-pool.js';
import type { RouterConfiguration } from './router-configuration.js';
import { compileTrigger } from './trigger/compile-trigger.js';
import type { FieldLookup } from './trigger/field-lookup.js';
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
   * Makes a router ready for decisions: operands read, pool arranged.
   * @throws RangeError when the distribution model is not registered
   */
  compile(config: RouterConfiguration, fields: FieldLookup): CompiledRouter {
    const { id, objectType, published, settings } = config;
    if (settings === null) {
      return { id, objectType, published, plan: null };
    }
    const model = this.models.get(settings.distributionModel);
    if (model === undefined) {
      throw new RangeError(`Distribution model not registered: ${settings.distributionModel}`);
    }
    const trigger = compileTrigger(settings.trigger, objectType, fields, this.operators);
    const route = { scope: '', pool: compilePool(config, settings.rotationType), model };
    return { id, objectType, published, plan: { settings, trigger, route } };
  }

  /** Decides on one record. The caller stores the rotation of the decision, if any, and hands it in with the next one. */
  decide(router: CompiledRouter, input: DecisionInput): Decision {
    return decide(router, this.extensions.checks, input);
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
