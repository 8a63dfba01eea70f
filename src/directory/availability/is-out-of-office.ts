import type { User } from '../user.js';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const WITH_OFFSET = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i;

/**
 * Whether one of the user's absences covers the instant: `from` inclusive, `to` exclusive (contract, section 5).
 * Ends without an offset are UTC. An absence with an unreadable end covers nothing.
 */
export function isOutOfOffice(user: Pick<User, 'outOfOffice'>, at: Date): boolean {
  const now = at.getTime();
  return user.outOfOffice.some((absence) => instant(absence.from) <= now && now < instant(absence.to));
}

// `Date.parse` reads a time without an offset on the machine's own clock.
function instant(iso: string): number {
  return Date.parse(DATE_ONLY.test(iso) || WITH_OFFSET.test(iso) ? iso : `${iso}Z`);
}
