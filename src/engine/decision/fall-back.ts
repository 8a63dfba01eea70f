import type { User } from '../../directory/user.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { DefaultUserStep } from '../model/trace.js';

/**
 * The backup user, who gets the record when no user of the pool is available. The backup user must be an
 * active user of the account; availability is not checked.
 */
export function fallBack(
  settings: RouterSettings,
  users: ReadonlyMap<string, User>,
): { readonly user: string | null; readonly step: DefaultUserStep } {
  const outcome = (user: string | null, word: DefaultUserStep['outcome']) => ({
    user,
    step: { step: 'default_user', user: settings.defaultUser, outcome: word } as const,
  });
  if (settings.disableDefaultAssignment) return outcome(null, 'disabled');
  if (settings.defaultUser === null) return outcome(null, 'not_set');
  const user = users.get(settings.defaultUser);
  return user === undefined ? outcome(null, 'not_a_user') : outcome(user.email, 'assigned');
}
