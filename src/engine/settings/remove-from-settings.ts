import { normalizeEmail } from '../../text/email-key.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { poolWithout } from '../pool/remaining-shares.js';
import { mapped, mappedList } from './mapped.js';

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
  return withoutMembers(
    mapped(value, (each, key) => (key === 'trigger' ? each : withoutIn(each, key, gone))),
    gone,
  );
}

function withoutIn(value: unknown, key: string, gone: ReadonlySet<string>): unknown {
  if (key === 'default_user') return isGone(value, gone) ? null : value;
  if (isPlainObject(value)) return withoutThem(value, gone);
  if (!Array.isArray(value)) return value;
  return mappedList(value, (each) => (isPlainObject(each) ? withoutThem(each, gone) : each));
}

/** Takes users out of the pool of a rule. */
function withoutMembers(value: Settings, gone: ReadonlySet<string>): Settings {
  const before = { users: membersOf(value['users']), teams: membersOf(value['teams']) };
  const { users, teams } = poolWithout(before, ({ email }) => isGone(email, gone));
  if (users.length === before.users.length) return value;
  // A rule without both keys would take the pool of the router.
  if (users.length + teams.length === 0) return { ...value, users, teams };
  const { users: _, teams: __, ...rest } = value;
  return { ...rest, ...(users.length > 0 && { users }), ...(teams.length > 0 && { teams }) };
}

function isGone(email: unknown, gone: ReadonlySet<string>): boolean {
  return typeof email === 'string' && gone.has(normalizeEmail(email));
}

function membersOf(value: unknown): Member[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
