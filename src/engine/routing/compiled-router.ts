import type { ObjectType } from '../../fields/object-type.js';
import type { Route } from '../distribution/route.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { CompiledRule } from '../rules/compile-rules.js';
import type { CompiledTrigger } from '../trigger/compile-trigger.js';

/**
 * A router compiled for any number of decisions. Immutable. Valid until the configuration, the fields or the
 * extensions change from which it was compiled.
 */
export interface CompiledRouter {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  /** Null for a router without settings. */
  readonly plan: {
    readonly settings: RouterSettings;
    readonly trigger: CompiledTrigger;
    readonly rules: readonly CompiledRule[];
    /** The router's own pool; null for a router that has rules and no pool of its own. */
    readonly route: Route | null;
  } | null;
}
