import { Book, type Ask, type Facts } from './decision/book.js';
import { compilePlan, type CompiledRouter } from './decision/plan.js';
import { needs, type Needs } from './decision/needs.js';
import { routeRecord, type Routed } from './decision/route-record.js';
import { BUILTIN_CHECKS } from './eligibility/checks.js';
import type { EligibilityCheck } from './eligibility/examine.js';
import type { RecordInput } from './model/decision.js';
import type { RouterConfiguration } from './model/router-configuration.js';
import type { DistributionModel } from './models/distribution-model.js';
import { BUILTIN_MODELS } from './models/models.js';
import { fieldsOf } from './trigger/trigger.js';
import type { FieldLookup } from './trigger/field-value.js';
import type { TriggerOperator } from './trigger/operators.js';

/** The operators, models and checks of an engine: the built-in ones and those of extensions. */
export interface EngineExtensions {
  readonly operators: readonly TriggerOperator[];
  readonly models: readonly DistributionModel[];
  /** Run in this order. The trace names every check that fails. */
  readonly checks: readonly EligibilityCheck[];
}

/** Decides which user gets a record (contract, section 4). Pure: no I/O, no clock, no randomness. */
export class AssignmentEngine {
  /** @throws RangeError when two extensions of a kind have the same id */
  constructor(readonly extensions: EngineExtensions) {
    requireDistinct('trigger operator', extensions.operators);
    requireDistinct('distribution model', extensions.models);
    requireDistinct('eligibility check', extensions.checks);
  }

  /** Compiles a router. @throws RangeError for a distribution model that is not registered */
  compile(config: RouterConfiguration, fields: FieldLookup): CompiledRouter {
    const { id, objectType, published, settings } = config;
    const plan = settings && compilePlan(config, settings, { ...this.extensions, fields });
    return { id, objectType, published, plan };
  }

  /** Finds the pools for a record, or refuses it, by trigger and rules. `needs` then tells what to read. */
  route(router: CompiledRouter, record: RecordInput): Routed {
    return routeRecord(router, record);
  }

  /** What must be read to answer asks. */
  needs(asks: readonly Ask[], known: Pick<Facts, 'users' | 'capacities'>): Needs {
    return needs(asks, known);
  }

  /** Opens the book of a transaction, which decides on one record after the other. */
  open(facts: Facts): Book {
    return new Book(this.extensions.checks, facts);
  }

  /**
   * The fields that the triggers of a router read, or undefined where a check or a model of an extension may
   * read any field. Decisions also read the owner field and the fields of capacities.
   */
  fieldsRead({ plan }: CompiledRouter): ReadonlySet<string> | undefined {
    const { models, checks } = this.extensions;
    const isBuiltIn =
      models.every((model) => BUILTIN_MODELS.includes(model)) &&
      checks.every((check) => BUILTIN_CHECKS.includes(check));
    const parts = plan === null ? [] : [plan, ...plan.rules];
    return isBuiltIn ? fieldsOf(parts.map(({ trigger }) => trigger)) : undefined;
  }
}

function requireDistinct(kind: string, extensions: readonly { readonly id: string }[]): void {
  const ids = extensions.map(({ id }) => id);
  const again = ids.find((id, index) => ids.indexOf(id) < index);
  if (again !== undefined) throw new RangeError(`Registered twice: ${kind} ${again}`);
}
