import type {
  RotationType,
  RouterSettings,
  RoutingRule,
  RuleTeam,
  RuleUser,
  Trigger,
} from '../model/router-configuration.js';

/**
 * The flat form of a router's settings in responses (contract, section 4): every key, defaults included,
 * except those that only some routers have.
 */
export interface FlatSettings {
  readonly owner_field: string;
  readonly overwrite: boolean;
  readonly overwrite_if_unavailable: boolean;
  readonly distribution_model: string;
  readonly rotation_type: RotationType;
  readonly default_user: string | null;
  readonly disable_default_assignment: boolean;
  readonly ignore_working_hours: boolean;
  readonly account_matching: boolean;
  readonly trigger: Trigger;
  /** Only if it is not the default, `route`. */
  readonly account_matching_unavailable_owner?: 'assign';
  /** Only if it is not the default, false. */
  readonly default_user_must_be_available?: true;
  /** Only if it is not the default, `refuse`. */
  readonly no_rule_matched?: 'default_user';
  /** Only if it is not the default, 0. */
  readonly reimburse_within_minutes?: number;
  /** Only if the router has rules. */
  readonly rules?: readonly FlatRule[];
}

/** The flat form of a rule. Parts that are left out are taken from the router. */
export interface FlatRule {
  readonly id?: string;
  readonly name: string;
  readonly trigger?: Trigger;
  readonly refuse?: true;
  readonly users?: readonly RuleUser[];
  readonly teams?: readonly RuleTeam[];
  readonly distribution_model?: string;
  readonly rotation_type?: RotationType;
}

/** Renders settings. Parsing the result gives the same settings, but for what only stored ones have. */
export function renderSettings(settings: RouterSettings): FlatSettings {
  return {
    owner_field: settings.ownerField,
    overwrite: settings.overwrite,
    overwrite_if_unavailable: settings.overwriteIfUnavailable,
    distribution_model: settings.distributionModel,
    rotation_type: settings.rotationType,
    default_user: settings.defaultUser,
    disable_default_assignment: settings.disableDefaultAssignment,
    ignore_working_hours: settings.ignoreWorkingHours,
    account_matching: settings.accountMatching,
    trigger: settings.trigger,
    ...(settings.unavailableOwner === 'route'
      ? {}
      : { account_matching_unavailable_owner: settings.unavailableOwner }),
    ...(settings.defaultUserMustBeAvailable ? { default_user_must_be_available: true } : {}),
    ...(settings.noRuleMatched === 'refuse' ? {} : { no_rule_matched: settings.noRuleMatched }),
    ...(settings.reimburseWithinMinutes === 0
      ? {}
      : { reimburse_within_minutes: settings.reimburseWithinMinutes }),
    ...(settings.rules.length === 0 ? {} : { rules: settings.rules.map(renderRule) }),
  };
}

function renderRule(rule: RoutingRule): FlatRule {
  const { listsNobody } = rule;
  return {
    ...(rule.id === undefined ? {} : { id: rule.id }),
    name: rule.name,
    ...(rule.trigger.groups.length === 0 ? {} : { trigger: rule.trigger }),
    ...(rule.refuse === true ? { refuse: true } : {}),
    ...(rule.users.length === 0 && listsNobody !== true ? {} : { users: rule.users }),
    ...(rule.teams.length === 0 && listsNobody !== true ? {} : { teams: rule.teams }),
    ...(rule.distributionModel === null ? {} : { distribution_model: rule.distributionModel }),
    ...(rule.rotationType === null ? {} : { rotation_type: rule.rotationType }),
  };
}
