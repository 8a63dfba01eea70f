import type { User } from '../user.js';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const WITH_OFFSET = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i;

/**
 * Whether the instant is within an absence of the user: `from` inclusive, `to` exclusive (contract, section
 * 5). A time without an offset is UTC. An absence with an unreadable time covers no instant.
 */
export function isOutOfOffice(user: Pick<User, 'outOfOffice'>, at: Date): boolean {
  const now = at.getTime();
  return user.outOfOffice.some((absence) => instant(absence.from) <= now && now < instant(absence.to));
}

// `Date.parse` reads a time without an offset in the time zone of the machine.
function instant(iso: string): number {
  return Date.parse(DATE_ONLY.test(iso) || WITH_OFFSET.test(iso) ? iso : `${iso}Z`);
}
