import type { LastAssignment } from '../../assignments/index.js';
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
  { held, at }: { readonly held: ReadonlyMap<string, LastAssignment>; readonly at: Date },
): LastAssignment | undefined {
  const assignment = held.get(record.id);
  if (assignment === undefined || !decision.assigned || decision.unchanged) return undefined;
  const minutes = returning.get(assignment.routerId);
  const isRecent = minutes !== undefined && at.getTime() - assignment.at.getTime() <= minutes * MINUTE;
  return isRecent && valueOf(record, ownerField) === assignment.user ? assignment : undefined;
}
