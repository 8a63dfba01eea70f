import type { HeldAssignment } from '../../assignments/index.js';
import { limitWindows } from '../../directory/index.js';
import { LIMIT_SPANS, type LimitSpan } from '../../engine/index.js';
import { valueOf } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import type { Decided } from './decided.js';

const MINUTE = 60_000;

/**
 * Returns the assignment that a decision takes back: the record goes from the user who got it by that
 * assignment to another one, within the minutes of the router that made it.
 * @param held the assignments by which users hold records, by record
 */
export function assignmentTakenBack(
  { returning, ownerField }: RouterSnapshot,
  { record, decision }: Decided,
  { held, at }: { readonly held: ReadonlyMap<string, HeldAssignment>; readonly at: Date },
): HeldAssignment | undefined {
  const assignment = held.get(record.id);
  if (assignment === undefined || !decision.assigned || decision.unchanged) return undefined;
  const minutes = returning.get(assignment.routerId);
  const isRecent = minutes !== undefined && at.getTime() - assignment.at.getTime() <= minutes * MINUTE;
  return isRecent && valueOf(record, ownerField) === assignment.user ? assignment : undefined;
}

/** Returns the spans of a user's limits in which an assignment counts. Empty for nobody. */
export function spansOf({ directory }: RouterSnapshot, { user, at }: HeldAssignment, now: Date): LimitSpan[] {
  const known = directory.users.get(directory.names.emailOf(user));
  if (known === undefined) return [];
  const windows = limitWindows(known, now);
  return LIMIT_SPANS.filter((span) => at >= windows[span]);
}
