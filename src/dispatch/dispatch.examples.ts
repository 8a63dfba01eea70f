import { TRACE_EXAMPLE } from '../assignments/http.js';
import { ASSIGNED_MESSAGE, REFUSALS } from '../engine/index.js';
import type { AssignedResult, NotAssignedResult } from './transaction/dispatch-result.js';

const assignment_id = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';

const assigned = (reason: string): AssignedResult => ({
  message: ASSIGNED_MESSAGE,
  success: true,
  user: 'ada@demo.test',
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
  refused('owner_present', { user: 'grace@demo.test' }),
  refused('rule_refused'),
  refused('no_rule_matched'),
  refused('assignment_limit_reached'),
];

const ROUTER_ID = '01a20618-697d-7000-b976-b6cff717a0ea';
const OBJECT_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';
const OTHER_ID = '019a8f2c-93aa-7c21-b0e4-1b2c3d4e5f60';

/** Bodies of requests, by the operation. */
export const REQUESTS = {
  dispatch: { example: { value: { router_id: ROUTER_ID, object_id: OBJECT_ID } } },
  batch: { example: { value: { router_id: ROUTER_ID, object_ids: [OBJECT_ID, OTHER_ID] } } },
  simulation: {
    record: { summary: 'For a record', value: { router_id: ROUTER_ID, object_id: OBJECT_ID } },
    fields: {
      summary: 'For fields of a record that does not exist, at another time',
      value: {
        router_id: ROUTER_ID,
        fields: { first_name: 'Edith', country: 'Norway' },
        at: '2026-12-24T10:00:00Z',
      },
    },
  },
};

const { assignment_id: _, ...SIMULATED } = assigned('round_robin');

/** The answer of a simulation. */
export const SIMULATION_EXAMPLE = { ...SIMULATED, trace: TRACE_EXAMPLE };

/** The answer of a batch: one that was assigned, and one that is not there. */
export const BATCH_EXAMPLE = {
  results: [
    { object_id: OBJECT_ID, status: 200, ...assigned('round_robin') },
    {
      object_id: OTHER_ID,
      status: 404,
      message: 'Object not found',
      error: true,
      code: 'not_found',
      request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
    },
  ],
};
