import { changesBetween } from '../../../api/edit';
import { OWNERS } from '../../../api/records';
import type { Router } from '../../../api/types';
import type { components } from '../../../api/schema';

type Schemas = components['schemas'];
export type Rule = Schemas['Rule'];
export type Step = Schemas['Step'];
export type Settings = NonNullable<Router['settings']>;

/** Who takes turns: what router, rule and step have in common. Lists that are left out are inherited. */
export interface Pool {
  users?: { email: string; percentage?: number }[];
  teams?: { name: string; percentage?: number }[];
  distribution_model?: string;
  rotation_type?: 'users' | 'teams';
}

/** What a person edits of a router: its settings, and its own pool. */
export type Content = Settings & Required<Pick<Pool, 'users' | 'teams'>>;

/** The keys that answers leave out where they have these values. */
const UNSAID = {
  default_user_must_be_available: false,
  account_matching_unavailable_owner: 'route',
  reimburse_within_minutes: 0,
  rules: [],
  steps: [],
  no_rule_matched: 'refuse',
} as unknown as Partial<Settings>;

/** What is edited of a router; one without settings begins with the defaults of the service. */
export function contentOf({ object_type, settings, users, teams }: Router): Content {
  return {
    ...UNSAID,
    ...(settings ?? {
      owner_field: OWNERS[object_type],
      overwrite: false,
      overwrite_if_unavailable: false,
      distribution_model: 'round robin',
      rotation_type: 'users',
      default_user: null,
      disable_default_assignment: false,
      ignore_working_hours: false,
      account_matching: false,
      trigger: { groups: [] },
    }),
    users: users.map(({ email, percentage }) => ({ email, ...(percentage !== undefined && { percentage }) })),
    teams: teams.map(({ name, percentage }) => ({ name, ...(percentage !== undefined && { percentage }) })),
  };
}

/** Changes as the body of a PATCH, or of `router` in a simulation. */
export function bodyOf({ users, teams, ...settings }: Partial<Content>) {
  return {
    ...(Object.keys(settings).length > 0 && { settings: settings as Record<string, unknown> }),
    ...(users !== undefined && { users }),
    ...(teams !== undefined && { teams }),
  };
}

/** The parts of the page on which a content is edited, and the keys that each of them shows. */
export const PARTS = {
  takes: ['trigger'],
  owners: ['owner_field', 'overwrite', 'overwrite_if_unavailable', 'reimburse_within_minutes'],
  matching: ['account_matching', 'account_matching_unavailable_owner'],
  rules: ['rules', 'no_rule_matched'],
  pool: ['users', 'teams', 'distribution_model', 'rotation_type'],
  steps: ['steps'],
  nobody: [
    'ignore_working_hours',
    'default_user',
    'default_user_must_be_available',
    'disable_default_assignment',
  ],
} as const;
export type Part = keyof typeof PARTS;

/** The parts in which two contents differ. */
export function changedParts(before: Content, after: Content): ReadonlySet<Part> {
  return partsWith(Object.keys(changesBetween(before, after) ?? {}));
}

/** The parts that show some keys. */
export function partsWith(keys: readonly string[]): ReadonlySet<Part> {
  return new Set(
    (Object.keys(PARTS) as Part[]).filter((part) => PARTS[part].some((key) => keys.includes(key))),
  );
}

/** An id for a rule: two people may add one each, and each keeps its turns under another name. */
export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}
