import { isPlainObject } from '../../text/is-plain-object.js';
import { normalizeEmail } from '../../text/email-key.js';
import { mapped, mappedList } from './mapped.js';

/** Users whose e-mails change. */
export interface UserRename {
  /** The new e-mails by the former ones, which are in lower case. They change all at once. */
  readonly emails: ReadonlyMap<string, string>;
  /** Whether a field of the router's object type names users. */
  readonly isUserField: (field: string) => boolean;
}

type Settings = Readonly<Record<string, unknown>>;

/**
 * Returns settings in their flat form with other e-mails of users, wherever they name these: as
 * `default_user`, in `users`, and as a whole operand of a condition on a user field, in rules as in the
 * router. Part of an e-mail as an operand stays as it is. Returns the same object where nothing changes.
 */
export function renameInSettings<T extends Settings | null>(settings: T, rename: UserRename): T {
  return settings === null ? settings : (renamedObject(settings, rename) as T);
}

function renamedObject(value: Settings, rename: UserRename): Settings {
  const { field } = value;
  const isCondition = typeof field === 'string' && 'operator' in value;
  if (isCondition && !rename.isUserField(field)) return value;
  return mapped(value, (each, key) => {
    if (isCondition) return key === 'value' ? renamedOperand(each, rename) : each;
    return key === 'default_user' || key === 'email' ? renamedText(each, rename) : renamed(each, rename);
  });
}

function renamed(value: unknown, rename: UserRename): unknown {
  if (isPlainObject(value)) return renamedObject(value, rename);
  return Array.isArray(value) ? mappedList(value, (each) => renamed(each, rename)) : value;
}

function renamedOperand(value: unknown, rename: UserRename): unknown {
  return Array.isArray(value)
    ? mappedList(value, (each) => renamedText(each, rename))
    : renamedText(value, rename);
}

function renamedText(value: unknown, { emails }: UserRename): unknown {
  return typeof value === 'string' ? (emails.get(normalizeEmail(value)) ?? value) : value;
}
