import type { RoutingRule } from './router-configuration.js';

/** The key of the rotation of a router's own pool. */
export const ROUTER_ROTATION_KEY = '';

/** What identifies the rotation of a rule. */
export type RuleIdentity = Pick<RoutingRule, 'id' | 'name' | 'rotationKey'>;

/** The key of the rotation of a rule: the one it keeps, else `rule#<id>`, else `rule:<name>`. */
export function rotationKeyOfRule({ id, name, rotationKey }: RuleIdentity): string {
  return rotationKey ?? (id === undefined ? `rule:${name}` : `rule#${id}`);
}
