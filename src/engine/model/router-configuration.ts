import type { ObjectType } from '../../fields/object-type.js';

/** One comparison of a field of the record. */
export interface Condition {
  /** Internal name of the field. */
  readonly field: string;
  /** Id of a registered trigger operator. */
  readonly operator: string;
  /** The operand as configured: any JSON. Left out for operators without an operand. */
  readonly value?: unknown;
}

/**
 * The condition for a router or a rule: groups are OR-ed, conditions in a group AND-ed. No groups, or an
 * empty group, match all records.
 */
export interface Trigger {
  readonly groups: readonly { readonly conditions: readonly Condition[] }[];
}

/** The ways to take turns: user by user, or team by team and then by member. */
export const ROTATION_TYPES = ['users', 'teams'] as const;
export type RotationType = (typeof ROTATION_TYPES)[number];

/** What happens to a contact whose company's owner cannot take it now. */
export const UNAVAILABLE_OWNER = ['route', 'assign'] as const;
export type UnavailableOwner = (typeof UNAVAILABLE_OWNER)[number];

/** What happens to a record that no rule takes, if the router has no pool of its own. */
export const NO_RULE_MATCHED = ['refuse', 'default_user'] as const;
export type NoRuleMatched = (typeof NO_RULE_MATCHED)[number];

/** The settings of a router (contract, section 4) with every default applied. */
export interface RouterSettings {
  /** Internal name of the `user` field that an assignment sets. */
  readonly ownerField: string;
  /** The router may replace an existing owner. */
  readonly overwrite: boolean;
  /** The router may replace an owner who is unavailable now, even if `overwrite` is false. */
  readonly overwriteIfUnavailable: boolean;
  /** Id of a registered distribution model. */
  readonly distributionModel: string;
  readonly rotationType: RotationType;
  /** E-mail of the backup user, lower case. */
  readonly defaultUser: string | null;
  /** The backup user must pass every eligibility check. */
  readonly defaultUserMustBeAvailable: boolean;
  /** If no user is available, nobody is assigned. */
  readonly disableDefaultAssignment: boolean;
  /** If every available user is outside working hours, working hours do not count. */
  readonly ignoreWorkingHours: boolean;
  /** For contacts only: the owner of the contact's company gets the contact. */
  readonly accountMatching: boolean;
  /**
   * If that owner fails a check: the pool takes a turn (`route`), or the owner gets the contact anyway
   * (`assign`).
   */
  readonly unavailableOwner: UnavailableOwner;
  /**
   * For this many minutes after an assignment its turn is returned if another user gets the record. 0 for
   * never.
   */
  readonly reimburseWithinMinutes: number;
  readonly trigger: Trigger;
  /** The first rule whose trigger matches decides. Empty for a router that always takes its own pool. */
  readonly rules: readonly RoutingRule[];
  readonly noRuleMatched: NoRuleMatched;
}

/** A user whom a rule lists. */
export interface RuleUser {
  /** Lower case. */
  readonly email: string;
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number;
}

/** A team that a rule lists, by its name. */
export interface RuleTeam {
  readonly name: string;
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number;
}

/** One rule of a router (contract, section 4). Parts that are left out are taken from the router. */
export interface RoutingRule {
  /** 1 to 200 characters, unique in the router. Left out for a rule that its name identifies. */
  readonly id?: string;
  /** 1 to 200 characters, unique in the router without regard to case. */
  readonly name: string;
  /** The key of its rotation, where its id or name gives another one: see `keepRotations`. */
  readonly rotationKey?: string;
  /** True for a rule that assigns nobody. It has neither users nor teams nor a model. */
  readonly refuse?: true;
  /** No groups, which match all records, if it is left out. */
  readonly trigger: Trigger;
  /**
   * If a rule has neither users nor teams, the router's pool is taken, unless `listsNobody`. Otherwise these
   * are the whole pool.
   */
  readonly users: readonly RuleUser[];
  readonly teams: readonly RuleTeam[];
  /** True for a stored rule that has empty lists: its pool is empty. Such a rule cannot be configured. */
  readonly listsNobody?: true;
  /** Null takes the router's. */
  readonly distributionModel: string | null;
  /** Null takes the router's. */
  readonly rotationType: RotationType | null;
}

/**
 * A member of a pool. Turns are kept by id, so a new e-mail address loses none; give the id if it is known.
 */
export interface PoolMember {
  readonly id?: string | undefined;
  readonly email: string;
}

/** A user whom the router lists directly. */
export interface PoolUser extends PoolMember {
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number | undefined;
}

/**
 * A team that the router lists. Turns are kept by id, so a new name loses none; give the id if it is known.
 */
export interface PoolTeam {
  readonly id?: string | undefined;
  readonly name: string;
  /** In the order of the team. A string is an e-mail. */
  readonly members: readonly (string | PoolMember)[];
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number | undefined;
}

/** The users and teams of a pool, in the configured order. */
export interface RouterPool {
  readonly users: readonly PoolUser[];
  readonly teams: readonly PoolTeam[];
}

/** The configuration of a router, input of `AssignmentEngine.compile`. */
export interface RouterConfiguration extends RouterPool {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  /** Null for a router without settings. */
  readonly settings: RouterSettings | null;
  /** The pools of the rules in `settings.rules` that list users or teams; see `resolveRulePools`. */
  readonly rules?: readonly RulePool[] | undefined;
}

/** The pool of a rule, with names resolved to users and teams. */
export interface RulePool {
  /** Name of the rule. */
  readonly name: string;
  /** Null for a rule that takes the router's pool. */
  readonly pool: RouterPool | null;
}
