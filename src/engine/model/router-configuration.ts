import type { ObjectType } from '../../fields/object-type.js';

/** One comparison of a field of the record. */
export interface Condition {
  /** Internal name of the field. */
  readonly field: string;
  /** Id of a registered trigger operator. */
  readonly operator: string;
  /** The operand as configured: any JSON; left out for operators that take none. */
  readonly value?: unknown;
}

/** When a router runs: groups are OR-ed, conditions in a group AND-ed; no groups, or an empty group, matches all. */
export interface Trigger {
  readonly groups: readonly { readonly conditions: readonly Condition[] }[];
}

/** The ways in which turns are taken. */
export const ROTATION_TYPES = ['users', 'teams'] as const;
export type RotationType = (typeof ROTATION_TYPES)[number];

/** What becomes of a contact whose company's owner cannot take it now. */
export const UNAVAILABLE_OWNER = ['route', 'assign'] as const;
export type UnavailableOwner = (typeof UNAVAILABLE_OWNER)[number];

/** The settings of a router (contract, section 4) with every default applied. */
export interface RouterSettings {
  /** Internal name of the `user` field that an assignment sets. */
  readonly ownerField: string;
  /** May replace an existing owner. */
  readonly overwrite: boolean;
  /** May replace an owner who is currently unavailable, even where `overwrite` is false. */
  readonly overwriteIfUnavailable: boolean;
  /** Id of a registered distribution model. */
  readonly distributionModel: string;
  readonly rotationType: RotationType;
  /** E-mail of the backup user, lower case. */
  readonly defaultUser: string | null;
  /** With nobody available, assign no one. */
  readonly disableDefaultAssignment: boolean;
  /** With everyone outside working hours, route as if they were inside. */
  readonly ignoreWorkingHours: boolean;
  /** Contacts only: the owner of the contact's company gets the contact. */
  readonly accountMatching: boolean;
  /** Where that owner fails a check: the contact takes its turn (`route`), or the owner gets it all the same (`assign`). */
  readonly unavailableOwner: UnavailableOwner;
  /** How long after an assignment its turn is made up for when somebody else gets the record; 0 for never. */
  readonly reimburseWithinMinutes: number;
  readonly trigger: Trigger;
  /** The first whose trigger matches decides; none for a router that always takes its own pool. */
  readonly rules: readonly RoutingRule[];
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

/** One of a router's rules (contract, section 4). What it leaves out it takes from the router. */
export interface RoutingRule {
  /** 1 to 200 characters, unique in the router in any case; its rotation is kept under this name. */
  readonly name: string;
  /** No groups where it is left out: matches all. */
  readonly trigger: Trigger;
  /** With neither users nor teams the rule takes the router's; otherwise its own are the whole pool. */
  readonly users: readonly RuleUser[];
  readonly teams: readonly RuleTeam[];
  /** Null takes the router's. */
  readonly distributionModel: string | null;
  /** Null takes the router's. */
  readonly rotationType: RotationType | null;
}

/** A member of a pool. Give the id where it is known: turns are kept by id, so a new e-mail address loses none. */
export interface PoolMember {
  readonly id?: string | undefined;
  readonly email: string;
}

/** A user whom the router lists directly. */
export interface PoolUser extends PoolMember {
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number | undefined;
}

/** A team that the router lists. Give the id where it is known: turns are kept by id, so a new name loses none. */
export interface PoolTeam {
  readonly id?: string | undefined;
  readonly name: string;
  /** In the order of the team; a bare string is an e-mail. */
  readonly members: readonly (string | PoolMember)[];
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number | undefined;
}

/** Those whom a router lists, in the configured order. */
export interface RouterPool {
  readonly users: readonly PoolUser[];
  readonly teams: readonly PoolTeam[];
}

/** A router as the engine compiles it. */
export interface RouterConfiguration extends RouterPool {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  /** Null while the router has none. */
  readonly settings: RouterSettings | null;
  /** The pools of the rules in `settings.rules` that list users or teams; see `resolveRulePools`. */
  readonly rules?: readonly RulePool[] | undefined;
}

/** Those whom a rule lists, turned into people. */
export interface RulePool {
  /** Name of the rule. */
  readonly name: string;
  /** Null for a rule that takes the router's pool. */
  readonly pool: RouterPool | null;
}
