import type { ObjectType } from '../../fields/object-type.js';

/**
 * How the value of a setting is read. Each kind has its type in `SettingValues`, its reader in
 * `routers/settings/read-settings.ts`, and its schema in `routers/router.schemas.ts`.
 */
export type SettingKind =
  | 'flag'
  | 'id'
  | 'minutes'
  | 'model'
  | 'name'
  | 'owner'
  | 'rotation'
  | 'rules'
  | 'teams'
  | 'trigger'
  | 'user'
  | 'users'
  | 'word';

/** What settings may stand in. */
export type SettingPlace = 'router' | 'rule';

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
const BOTH = ['router', 'rule'] as const;

/**
 * Every key of the settings of routers and of their rules (contract, section 4). A new setting is one line
 * here: its parser, its type, its form in answers and its schema follow.
 */
export const SETTING_KEYS = {
  /** 1 to 200 characters, unique in the router. Left out for a rule that its name identifies. */
  id: { kind: 'id', where: RULE, about: 'Its rotation is kept by the id when the rule is renamed' },
  /** 1 to 200 characters, unique in the router as names are compared. */
  name: { kind: 'name', where: RULE },
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
  /** A rule that has neither users nor teams takes the router's pool. Otherwise these are the whole pool. */
  users: { kind: 'users', where: RULE },
  teams: { kind: 'teams', where: RULE },
  /** Id of a registered distribution model. */
  distribution_model: { kind: 'model', where: BOTH, default: 'round robin' },
  /** Whether turns go user by user, or team by team and then by member. */
  rotation_type: { kind: 'word', where: BOTH, words: ['users', 'teams'], default: 'users' },
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
  /** What happens to a record that no rule takes, if the router has no pool of its own. */
  no_rule_matched: {
    kind: 'word',
    where: ROUTER,
    words: ['refuse', 'default_user'],
    default: 'refuse',
    sparse: true,
  },
  /** The key of the rotation that a rule keeps. Only stored: it is neither configured nor shown. */
  rotation_key: { kind: 'rotation', where: RULE },
} as const satisfies Readonly<Record<string, SettingKey>>;

/** A key of settings with its names. */
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
const IN = {
  router: SETTINGS.filter(({ where }) => where.includes('router')),
  // What a rule says otherwise than its router is always shown, also where it is the default of a router.
  rule: SETTINGS.filter(({ where }) => where.includes('rule')).map(({ sparse, ...setting }) =>
    sparse === true && !setting.where.includes('router') ? { ...setting, sparse } : setting,
  ),
};

/** Returns the settings that may stand in a place, in their order. */
export function settingsIn(place: SettingPlace): readonly Setting[] {
  return IN[place];
}
