import type {
  RouterConfiguration,
  RouterPool,
  RoutingRule,
  RulePool,
} from '../model/router-configuration.js';

/** Whether a pool is empty. */
export function isEmptyPool({ users, teams }: RouterPool): boolean {
  return users.length === 0 && teams.length === 0;
}

/** Whether a rule takes the pool of its router. */
export function takesRouterPool(rule: Pick<RoutingRule, 'users' | 'teams' | 'listsNobody'>): boolean {
  return rule.users.length === 0 && rule.teams.length === 0 && rule.listsNobody !== true;
}

/** Finds the pool of each of a router's rules. */
export function rulePools(
  router: Pick<RouterConfiguration, 'users' | 'teams' | 'rules'>,
): (rule: RoutingRule) => RouterPool {
  const resolved = new Map((router.rules ?? []).map((each: RulePool) => [each.name, each.pool]));
  const own: RouterPool = { users: router.users, teams: router.teams };
  return (rule) =>
    takesRouterPool(rule)
      ? own
      : // Without a resolved pool users have only their e-mail, and teams have no members.
        (resolved.get(rule.name) ?? {
          users: rule.users,
          teams: rule.teams.map((team) => ({ ...team, members: [] })),
        });
}
