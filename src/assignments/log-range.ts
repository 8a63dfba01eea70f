import { GREATEST_ID, LEAST_ID, timeOfId } from '../database/index.js';
import { leastIdOf } from './least-id.js';
import { monthStart } from './months/month.js';

/** The ids that a statement of a page reads. It opens the months of these. */
export interface LogRange {
  /** The least id of the entries that are counted one by one. */
  readonly counted: string;
  /** The least id of the entries that may be shown, and one that is greater than theirs. */
  readonly from: string;
  readonly to: string;
}

/** What is known of a page before it is read. */
export interface PagePlace {
  /** Id of the record whose entries are listed. */
  readonly object: string | undefined;
  /** Id of the entry behind which the page starts. */
  readonly behind: string | undefined;
}

/**
 * Returns where a page is likely to lie: in the month of its first entry and the one before. The entries of
 * one record lie behind its id, which is the time at which it was made.
 * @param now milliseconds since 1970
 */
export function likelyRange({ object, behind }: PagePlace, now: number): LogRange {
  const to = behind ?? GREATEST_ID;
  if (object !== undefined) {
    const from = isTimed(object) ? leastIdOf(timeOfId(object)) : LEAST_ID;
    return { counted: from, from, to };
  }
  const start = behind === undefined ? now : timeOfId(behind);
  return { counted: monthBefore(now), from: monthBefore(start), to };
}

/** Returns the range of all that can be on a page. */
export function wholeRange({ behind }: Pick<PagePlace, 'behind'>): LogRange {
  return { counted: LEAST_ID, from: LEAST_ID, to: behind ?? GREATEST_ID };
}

/** Returns whether one range lies in another. Ids are in lower case. */
export function liesIn(inner: LogRange, outer: LogRange): boolean {
  return inner.counted >= outer.counted && inner.from >= outer.from && inner.to <= outer.to;
}

/** The first id of the month before that of an instant. */
function monthBefore(milliseconds: number): string {
  return monthStart(new Date(milliseconds), -1);
}

/** Returns the least id that an entry of these records can have: an entry is younger than its record. */
export function leastEntryOf(objectIds: readonly string[]): string {
  if (!objectIds.every(isTimed)) return LEAST_ID;
  return leastIdOf(Math.min(...objectIds.map(timeOfId)));
}

/** Whether an id is of version 7, which begins with the time. */
function isTimed(id: string): boolean {
  return id[14] === '7';
}
