import { timeOfId } from '../../database/index.js';

/** A month of the log: ids from `from` on, before `to`. */
export interface Month {
  /** Of the year and the month, such as `2026_01`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The greatest number of milliseconds that fits into an id. */
const LAST = 2 ** 48 - 1;

/** Returns the month that an id belongs to. Where the id is not the first of the month, it begins there. */
export function monthFrom(id: string): Month {
  const at = new Date(timeOfId(id));
  const month = String(at.getUTCMonth() + 1).padStart(2, '0');
  return { name: `${at.getUTCFullYear()}_${month}`, from: id, to: monthStart(at, 1) };
}

/** Returns the least id of a month in UTC. @param later number of months after that of the instant */
export function monthStart(at: Date, later: number): string {
  const start = Math.max(0, Math.min(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later), LAST));
  const hex = start.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
