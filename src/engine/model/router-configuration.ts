import type { ObjectType } from '../../fields/object-type.js';

/** How the value of a setting is read. */
export type SettingKind = keyof SettingValues;

export type SettingPlace = 'router' | 'rule' | 'step';

/** A key of the flat form of settings. */
export interface SettingKey {
  readonly kind: SettingKind;
  readonly where: readonly SettingPlace[];
  /** What a router has that leaves it out. A rule that leaves it out takes the router's. */
  readonly default?: string | boolean | number | null;
  /** The values of a `word`. */
  readonly words?: readonly string[];
  /** Answers have it only where it is not the default. What a rule leaves out they never have. */
  readonly sparse?: true;
  /** The object type whose routers may have it. Default: all. */
  readonly only?: ObjectType;
  /** What the OpenAPI document says of it. */
  readonly about?: string;
}

const ROUTER = ['router'] as const;
const RULE = ['rule'] as const;
const PARTS = ['rule', 'step'] as const;
const BOTH = ['router', 'rule'] as const;
const ALL = ['router', 'rule', 'step'] as const;

/**
 * Every key of the settings of routers, of their rules, and of the steps of both (contract, sections 4 and
 * 8.1). A new setting is one line here: its parser, its type, its form in answers and its schema follow.
 */
export const SETTING_KEYS = {
  /** 1 to 200 characters, unique in the list. Left out for what its name or place identifies. */
  id: { kind: 'id', where: PARTS, about: 'Its rotation is kept by the id when it is renamed' },
  /** 1 to 200 characters, unique in the list as names are compared. A step may have none. */
  name: { kind: 'name', where: PARTS },
  /** Internal name of the `user` field that an assignment sets. Default: that of the object type. */
  owner_field: { kind: 'owner', where: ROUTER },
  /** The router may replace an existing owner. */
  overwrite: { kind: 'flag', where: ROUTER, default: false },
  /** The router may replace an owner who is unavailable now, even if `overwrite` is false. */
  overwrite_if_unavailable: { kind: 'flag', where: ROUTER, default: false },
  /** Which records it takes. No groups match all. */
  trigger: { kind: 'trigger', where: BOTH },
  /** The rule assigns nobody. It then has neither users nor teams nor a model. */
  refuse: { kind: 'flag', where: RULE, default: false, sparse: true, about: 'The rule assigns nobody' },
  /**
   * A rule that has neither users nor teams takes the router's pool, and a step that of what it belongs to.
   * Otherwise these are the whole pool.
   */
  users: { kind: 'users', where: PARTS },
  teams: { kind: 'teams', where: PARTS },
  /** Id of a registered distribution model. */
  distribution_model: { kind: 'model', where: ALL, default: 'round robin' },
  /** Whether turns go user by user, or team by team and then by member. */
  rotation_type: { kind: 'word', where: ALL, words: ['users', 'teams'], default: 'users' },
  /** The backup user: a lower-case e-mail where settings are read, an id where they are stored. */
  default_user: { kind: 'user', where: ROUTER, default: null, about: 'E-mail of the backup user' },
  /** The backup user must pass every eligibility check. */
  default_user_must_be_available: {
    kind: 'flag',
    where: ROUTER,
    default: false,
    sparse: true,
    about: 'The backup user must pass every check',
  },
  /** If no user is available, nobody is assigned. */
  disable_default_assignment: { kind: 'flag', where: ROUTER, default: false },
  /** If every available user is outside working hours, working hours do not count. */
  ignore_working_hours: { kind: 'flag', where: ROUTER, default: false },
  /** The owner of the contact's company gets the contact. */
  account_matching: { kind: 'flag', where: ROUTER, default: false, only: 'contacts' },
  /** If that owner fails a check: the pool takes a turn, or the owner gets the contact anyway. */
  account_matching_unavailable_owner: {
    kind: 'word',
    where: ROUTER,
    words: ['route', 'assign'],
    default: 'route',
    sparse: true,
  },
  /** For this many minutes after an assignment its turn is returned if another user gets the record. */
  reimburse_within_minutes: { kind: 'minutes', where: ROUTER, default: 0, sparse: true },
  /** The first rule whose trigger matches decides. */
  rules: { kind: 'rules', where: ROUTER, sparse: true },
  /** Further pools, tried in their order while nobody is eligible. A rule may have its own. */
  steps: {
    kind: 'steps',
    where: BOTH,
    sparse: true,
    about: 'Tried in their order while nobody of the pool, or of the step before, is eligible',
  },
  /** What happens to a record that no rule takes, if the router has no pool of its own. */
  no_rule_matched: {
    kind: 'word',
    where: ROUTER,
    words: ['refuse', 'default_user'],
    default: 'refuse',
    sparse: true,
  },
  /** The key of the rotation that a rule or step keeps. Only stored: it is neither configured nor shown. */
  rotation_key: { kind: 'rotation', where: PARTS },
} as const satisfies Readonly<Record<string, SettingKey>>;

export interface Setting extends SettingKey {
  /** In JSON: `owner_field`. */
  readonly key: string;
  /** In code: `ownerField`. */
  readonly name: string;
}

const SETTINGS: readonly Setting[] = Object.entries<SettingKey>(SETTING_KEYS).map(([key, setting]) => ({
  ...setting,
  key,
  name: key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
}));
const of = (place: SettingPlace): readonly Setting[] => SETTINGS.filter(({ where }) => where.includes(place));
const IN = {
  router: of('router'),
  // What a rule says otherwise than its router is always shown, also where it is the default of a router.
  rule: of('rule').map(({ sparse, ...setting }) =>
    sparse === true && !setting.where.includes('router') ? { ...setting, sparse } : setting,
  ),
  step: of('step').map((setting) =>
    setting.kind === 'name' ? { ...setting, kind: 'id' as const } : setting,
  ),
};

export function settingsIn(place: SettingPlace): readonly Setting[] {
  return IN[place];
}

/** One comparison of a field of the record. */
export interface Condition {
  /** Internal name of the field. */
  readonly field: string;
  /** Id of a registered trigger operator. */
  readonly operator: string;
  /** The operand as configured: any JSON. Left out for operators without an operand. */
  readonly value?: unknown;
}

/** Groups are OR-ed, conditions in a group AND-ed. No groups, or an empty group, match all records. */
export interface Trigger {
  readonly groups: readonly { readonly conditions: readonly Condition[] }[];
}

type Keys = typeof SETTING_KEYS;
type CamelCase<Key extends string> = Key extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Key;
type KeysIn<Place extends SettingPlace> = {
  [Key in keyof Keys]: Place extends Keys[Key]['where'][number] ? Key : never;
}[keyof Keys];

/**
 * The types of settings by their kinds. Each kind has its reader in `routers/settings/settings.ts`, and
 * its schema in `management/routers/router.schemas.ts`.
 */
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

/** A member of a pool. Turns are kept by the id where it is known, so a new e-mail loses none. */
export interface PoolMember {
  readonly id?: string | undefined;
  readonly email: string;
}

/** A user whom the router lists directly. */
export interface PoolUser extends PoolMember {
  /** 0 to 100, up to 4 decimals. */
  readonly percentage?: number | undefined;
}

/** A team that the router lists. Turns are kept by the id where it is known, so a new name loses none. */
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

/** The configuration of a router, input of `compileRouter`. */
export interface RouterConfiguration extends RouterPool {
  readonly id: string;
  readonly objectType: ObjectType;
  readonly published: boolean;
  /** With the teams of rules and steps resolved to their members. Null for a router without settings. */
  readonly settings: RouterSettings | null;
}

/** An error in one place of a configuration. */
export interface FieldIssue {
  /** Path, such as `settings.trigger.groups[0].conditions[1].operator`. */
  readonly field: string;
  readonly message: string;
}

/** Adds one issue. Validation goes on, so that it reports all of them. */
export type ReportIssue = (field: string, message: string) => void;

/** A list of issues and the function that adds to it. */
export function collectIssues(): { readonly issues: FieldIssue[]; readonly report: ReportIssue } {
  const issues: FieldIssue[] = [];
  return { issues, report: (field, message) => void issues.push({ field, message }) };
}
