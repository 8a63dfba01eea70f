/** The key of the rotation of a router's own pool. */
export const ROUTER_ROTATION_KEY = '';

/** The key of the rotation of a rule. */
export function ruleRotationKey(name: string): string {
  return `rule:${name}`;
}
