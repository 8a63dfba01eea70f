// Compares a history with a database.
import { checkLog } from './check-log.mjs';
import { checkRecords } from './check-records.mjs';
import { checkRotations } from './check-rotations.mjs';
import { readState } from './read-state.mjs';

/**
 * Checks that what was acknowledged is there once with the values answered, that nothing refused is there,
 * that nothing unknown is half there, and that log, owners, rotations and bounds agree.
 *
 * @param history a Recorder whose clients have stopped
 * @param client a connection to the database, on which nothing is under way
 * @param slug of the account, where there are several
 * @returns the violations, each `{ check, text, record? }`
 */
export async function check(history, client, slug) {
  const violations = [];
  const state = await readState(client, slug);
  const report = (violation) => violations.push(violation);
  checkRecords(history, state, report);
  checkLog(history, state, report);
  checkRotations(history, state, report);
  return violations;
}

/**
 * Makes unknown what was answered after an instant, for a copy of the database of that instant or later.
 */
export function forgetAfter(history, instant) {
  const all = history.requests.flatMap((request) => [request, ...(request.items ?? [])]);
  for (const request of all) {
    if (request.end <= instant || request.outcome !== 'acknowledged') continue;
    Object.assign(request, { outcome: 'unknown', body: undefined });
  }
}
