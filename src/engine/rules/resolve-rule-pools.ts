import { collectIssues, type FieldIssue } from '../model/field-issue.js';
import { shownName } from '../../text/shown-name.js';
import { takesRouterPool } from './rule-pool.js';
import type { PoolMember, PoolTeam, RoutingRule, RulePool } from '../model/router-configuration.js';

/** Finds the users and teams that rules name. */
export interface RulePeople {
  /** The active user with that e-mail address, which is in lower case. */
  findUser(email: string): PoolMember | undefined;
  /** The team of that name. */
  findTeam(name: string): Pick<PoolTeam, 'id' | 'name' | 'members'> | undefined;
}

/**
 * Resolves the names in rules to users and teams: the pools for `RouterConfiguration.rules`, without unknown
 * names, and an issue for each unknown name, such as at `settings.rules[2].users[0].email`. Validation
 * reports the issues. Dispatches ignore them: users and teams may be removed after a rule named them.
 */
export function resolveRulePools(
  rules: readonly RoutingRule[],
  people: RulePeople,
): { readonly pools: readonly RulePool[]; readonly issues: readonly FieldIssue[] } {
  const { issues, report } = collectIssues();
  const pools = rules.map((rule, index): RulePool => {
    const { name, users, teams } = rule;
    if (takesRouterPool(rule)) return { name, pool: null };
    const path = `settings.rules[${index}]`;
    return {
      name,
      pool: {
        users: users.flatMap(({ email, percentage }, place) => {
          const user = people.findUser(email);
          if (user !== undefined) return [{ ...user, percentage }];
          report(`${path}.users[${place}].email`, `${shownName(email)} is not a user of the account`);
          return [];
        }),
        teams: teams.flatMap(({ name: wanted, percentage }, place) => {
          const team = people.findTeam(wanted);
          if (team !== undefined) return [{ ...team, percentage }];
          report(`${path}.teams[${place}].name`, `${shownName(wanted)} is not a team of the account`);
          return [];
        }),
      },
    };
  });
  return { pools, issues };
}
