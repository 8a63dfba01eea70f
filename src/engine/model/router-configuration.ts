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
  readonly steps: readonly RoutingStep[];
  readonly teams: readonly ListedTeam[];
  readonly trigger: Trigger;
  readonly user: string | null;
  readonly users: readonly PoolUser[];
  readonly waiting: undefined;
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

/** A team that a rule or step lists. Without members it is not resolved yet. */
export type ListedTeam = Omit<PoolTeam, 'members'> & Partial<Pick<PoolTeam, 'members'>>;

/** What a part of a router may have otherwise than the whole. Left out or null takes that of the whole. */
type SettingsOf<Place extends SettingPlace> = {
  readonly [
    Key in Exclude<KeysIn<Place> & KeysIn<'router'>, 'trigger'> as CamelCase<Key>
  ]?: SettingValue<Key> | null;
};

/** Users and teams as they are listed. */
export interface ListedPool {
  readonly users: readonly PoolUser[];
  readonly teams: readonly ListedTeam[];
}

/** What rules and steps have: a pool and a rotation. */
export interface RouterPart extends ListedPool {
  readonly id?: string;
  readonly name?: string;
  /** What names its rotation, where its id, name or place gives something else: see `keepRotations`. */
  readonly rotationKey?: string;
  /** True for a stored part that has empty lists: its pool is empty. Such a part cannot be configured. */
  readonly listsNobody?: true;
}

/** A step of a router or rule (contract, section 8.1). */
export interface RoutingStep extends RouterPart, SettingsOf<'step'> {}

/** One rule of a router (contract, section 4). Parts that are left out are taken from the router. */
export interface RoutingRule extends RouterPart, SettingsOf<'rule'> {
  readonly name: string;
  readonly refuse?: true;
  readonly trigger: Trigger;
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
  /** With the teams of rules and steps resolved to their members. Null for a router without settings. */
  readonly settings: RouterSettings | null;
}
