import { normalizeEmail } from '../../text/email-key.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { remainingShares } from '../pool/remaining-shares.js';

type Settings = Readonly<Record<string, unknown>>;
type Member = Settings & { readonly percentage?: number };

/**
 * Returns settings in their flat form without users: not as `default_user`, and not in the pool of a rule,
 * where the percentages of the others grow in proportion. A rule that listed nobody else lists nobody.
 * Conditions stay, because they list nobody. Returns the same object where nothing changes.
 * @param gone e-mails in lower case
 */
export function removeFromSettings<T extends Settings | null>(settings: T, gone: ReadonlySet<string>): T {
  return settings === null ? settings : (withoutThem(settings, gone) as T);
}

/** Returns the e-mails that settings in their flat form list, as the backup or in the pool of a rule. */
export function listedInSettings(settings: Settings | null): ReadonlySet<string> {
  const listed = new Set<string>();
  const visit = (value: unknown, key?: string): void => {
    if ((key === 'default_user' || key === 'email') && typeof value === 'string')
      listed.add(normalizeEmail(value));
    else if (Array.isArray(value)) value.forEach((each) => visit(each));
    else if (isPlainObject(value))
      Object.entries(value).forEach(([name, each]) => name === 'trigger' || visit(each, name));
  };
  visit(settings);
  return listed;
}

function withoutThem(value: Settings, gone: ReadonlySet<string>): Settings {
  const entries = Object.entries(value).map(([key, each]) => [key, withoutIn(each, key, gone)] as const);
  const changed = entries.some(([key, each]) => each !== value[key])
    ? (Object.fromEntries(entries) as Settings)
    : value;
  return withoutMembers(changed, gone);
}

function withoutIn(value: unknown, key: string, gone: ReadonlySet<string>): unknown {
  if (key === 'trigger') return value;
  if (key === 'default_user')
    return typeof value === 'string' && gone.has(normalizeEmail(value)) ? null : value;
  if (isPlainObject(value)) return withoutThem(value, gone);
  if (!Array.isArray(value)) return value;
  const parts: readonly unknown[] = value.map((each: unknown) =>
    isPlainObject(each) ? withoutThem(each, gone) : each,
  );
  return parts.every((part, index) => part === value[index]) ? value : parts;
}

/** Takes users out of the pool of a rule. */
function withoutMembers(pool: Settings, gone: ReadonlySet<string>): Settings {
  const users = membersOf(pool['users']);
  const left = users.filter(({ email }) => typeof email !== 'string' || !gone.has(normalizeEmail(email)));
  if (left.length === users.length) return pool;
  const teams = membersOf(pool['teams']);
  const shares = remainingShares([...users, ...teams], [...left, ...teams]);
  // A rule without both keys would take the pool of the router.
  if (shares.length === 0) return { ...pool, users: [], teams: [] };
  const { users: _, teams: __, ...rest } = pool;
  return {
    ...rest,
    ...(left.length > 0 && { users: shares.slice(0, left.length) }),
    ...(teams.length > 0 && { teams: shares.slice(left.length) }),
  };
}

function membersOf(value: unknown): readonly Member[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
