import type { AssignmentRow } from '../../src/assignments/assignments.repository.js';

/** An entry of the log as the database gives it. */
export function logged(id: string, values: Partial<AssignmentRow> = {}): AssignmentRow {
  return {
    id,
    router_id: 'R',
    router_version: 3,
    rule: null,
    step: 0,
    object_id: 'record',
    object_type: 'contacts',
    user: 'ada@acme.test',
    previous_user: 'old@acme.test',
    reason: 'round_robin',
    message: 'The object was successfully assigned',
    created_at: new Date('2026-06-10T12:00:00Z'),
    ...values,
  };
}
