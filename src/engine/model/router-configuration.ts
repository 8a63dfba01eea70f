import type { ObjectType } from '../../fields/object-type.js';
import type { SETTING_KEYS, SettingPlace } from './setting-keys.js';

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

type Keys = typeof SETTING_KEYS;
type CamelCase<Key extends string> = Key extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Key;
/** The keys of the settings that may stand in a place. */
type KeysIn<Place extends SettingPlace> = {
  [Key in keyof Keys]: Place extends Keys[Key]['where'][number] ? Key : never;
}[keyof Keys];

/** The types of settings by their kinds. */
interface SettingValues {
  readonly flag: boolean;
  readonly id: string;
  readonly minutes: number;
  readonly model: string;
  readonly name: string;
  readonly owner: string;
  readonly rotation: string;
  readonly rules: readonly RoutingRule[];
  readonly teams: readonly RuleTeam[];
  readonly trigger: Trigger;
  readonly user: string | null;
  readonly users: readonly RuleUser[];
  readonly word: string;
}
type SettingValue<Key extends keyof Keys> = Keys[Key] extends { readonly words: readonly (infer Word)[] }
  ? Word
  : SettingValues[Keys[Key]['kind']];

/** The settings of a router, with every default applied. `SETTING_KEYS` says what each of them means. */
export type RouterSettings = {
  readonly [Key in KeysIn<'router'> as CamelCase<Key>]: SettingValue<Key>;
};
export type RotationType = RouterSettings['rotationType'];
export type UnavailableOwner = RouterSettings['accountMatchingUnavailableOwner'];

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

/** What a rule may have otherwise than its router. Left out or null takes the router's. */
type RuleSettings = {
  readonly [
    Key in Exclude<KeysIn<'rule'> & KeysIn<'router'>, 'trigger'> as CamelCase<Key>
  ]?: SettingValue<Key> | null;
};

/** One rule of a router (contract, section 4). Parts that are left out are taken from the router. */
export interface RoutingRule extends RuleSettings {
  readonly id?: string;
  readonly name: string;
  /** The key of its rotation, where its id or name gives another one: see `keepRotations`. */
  readonly rotationKey?: string;
  readonly refuse?: true;
  readonly trigger: Trigger;
  readonly users: readonly RuleUser[];
  readonly teams: readonly RuleTeam[];
  /** True for a stored rule that has empty lists: its pool is empty. Such a rule cannot be configured. */
  readonly listsNobody?: true;
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
  /** The pools of the rules in `settings.rules` that list users or teams. */
  readonly rules?: readonly RulePool[] | undefined;
}

/** The pool of a rule, with names resolved to users and teams. */
export interface RulePool {
  /** Name of the rule. */
  readonly name: string;
  /** Null for a rule that takes the router's pool. */
  readonly pool: RouterPool | null;
}
