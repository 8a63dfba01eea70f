import type { ObjectType } from '../../fields/object-type.js';
import type { Route } from '../distribution/route.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { CompiledRule } from '../rules/compile-rules.js';
import type { CompiledTrigger } from '../trigger/compile-trigger.js';

/**
 * A router made ready by `AssignmentEngine.compile` for any number of decisions. Immutable; good for as long as the
 * configuration, the fields and the options it was compiled from stand.
 */
export interface CompiledRouter {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  /** Null while the router has no settings. */
  readonly plan: {
    readonly settings: RouterSettings;
    readonly trigger: CompiledTrigger;
    readonly rules: readonly CompiledRule[];
    /** The router's own pool; null where it has rules and no such pool. */
    readonly route: Route | null;
  } | null;
}
