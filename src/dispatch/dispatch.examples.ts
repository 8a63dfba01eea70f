import { ASSIGNED_MESSAGE, REFUSALS } from '../engine/index.js';
import type { AssignedResult, NotAssignedResult } from './transaction/dispatch-result.js';

const assignment_id = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';

const assigned = (reason: string): AssignedResult => ({
  message: ASSIGNED_MESSAGE,
  success: true,
  user: 'ada@acme.test',
  field_name: 'contact_owner',
  owner_assigned_at: 'Wed, 10 Jun 2026 21:05:06 +0000',
  assignment_id,
  reason,
});

const refused = (
  reason: keyof typeof REFUSALS,
  more: { readonly user?: string } = {},
): NotAssignedResult => ({
  message: REFUSALS[reason],
  success: false,
  reason,
  ...more,
  assignment_id,
});

/** Answers of dispatches that assign, for the OpenAPI document. */
export const ASSIGNED_EXAMPLES: readonly AssignedResult[] = ['round_robin', 'already_owner'].map(assigned);

/** Answers of dispatches that do not assign. */
export const REFUSED_EXAMPLES: readonly NotAssignedResult[] = [
  refused('owner_present', { user: 'grace@acme.test' }),
  refused('rule_refused'),
  refused('no_rule_matched'),
  refused('assignment_limit_reached'),
];
