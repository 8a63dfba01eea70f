import { ASSIGNED_MESSAGE, type Trace } from '../engine/index.js';
import { OBJECT_TYPES } from '../fields/index.js';
import {
  closedObject,
  EMAIL,
  ID,
  integer,
  listOf,
  orNull,
  pageOf,
  reference,
  text,
  TIME,
  wordOf,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { MOST_LINES } from './assignments.service.js';
import { SUMMARY_BY } from './log-statements.js';

/** Why one of three users has got a contact, for the OpenAPI document. */
export const TRACE_EXAMPLE: Trace = [
  {
    step: 'trigger',
    matched: true,
    groups: [[{ field: 'country', operator: 'eq', value: 'Norway', saw: 'Norway', held: true }]],
  },
  { step: 'overwrite', field: 'contact_owner', owner: null, allowed: true, because: 'no_owner' },
  {
    step: 'eligibility',
    in: ['ada@demo.test', 'grace@demo.test'],
    out: [{ reasons: ['day_limit_reached'], users: ['alan@demo.test'], saw: ['40/40'] }],
  },
  {
    step: 'distribution',
    model: 'round robin',
    among: 'users',
    chosen: 'ada@demo.test',
    rule: 'earliest_deadline',
    columns: ['candidate', 'share', 'credit', 'credit_after', 'last'],
    rows: [
      ['ada@demo.test', 0.5, 0, -0.5, 0],
      ['grace@demo.test', 0.5, 0, 0.5, 0],
    ],
  },
];

const ASSIGNMENT_EXAMPLE = {
  id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5',
  router_id: '01a20618-697d-7000-b976-b6cff717a0ea',
  router_version: 1,
  rule: null,
  step: 0,
  object_id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  object_type: 'contacts',
  user: 'ada@demo.test',
  previous_user: null,
  reason: 'round_robin',
  message: ASSIGNED_MESSAGE,
  created_at: '2026-06-10T21:05:06.789Z',
};

const email = (description: string): Schema => ({ ...orNull(EMAIL), description });

const FIELDS: Schemas = {
  id: ID,
  router_id: ID,
  router_version: {
    ...orNull(integer(1)),
    description:
      'The version that has decided; null where the router was unpublished, or had no versions yet',
  },
  rule: { ...orNull(text('Name of a rule')), description: 'The rule that matched; null for none' },
  step: {
    ...orNull(integer(0, 20)),
    description: 'The step that gave the turn; 0 for the own pool of the router or rule, null for no turn',
  },
  object_id: ID,
  object_type: wordOf(OBJECT_TYPES),
  user: email('The new owner, or with `already_owner` the present one; null when no one was assigned'),
  previous_user: email('The owner before; null for none'),
  reason: reference('Reason'),
  message: text('As the dispatch answered it'),
  created_at: TIME,
};

const COUNTS: Schemas = {
  assigned: { ...integer(0), description: 'Where somebody has the record by it, also who had it already' },
  refused: { ...integer(0), description: 'Where nobody got it' },
};

const COUNTS_EXAMPLE = {
  by: 'reason',
  data: [
    { value: 'round_robin', assigned: 1204, refused: 0 },
    { value: 'trigger_not_matched', assigned: 0, refused: 31 },
  ],
  total: { assigned: 1204, refused: 31 },
};

/** Returns the schemas of the assignment log in the OpenAPI document. */
export function assignmentSchemas(): Schemas {
  const trace: Schema = {
    ...orNull(listOf(reference('TraceStep'))),
    description: 'Every step that was weighed, in order; null once it was pruned',
  };
  return {
    Assignment: {
      ...closedObject({ ...FIELDS, trace }),
      examples: [{ ...ASSIGNMENT_EXAMPLE, trace: TRACE_EXAMPLE }],
    },
    AssignmentSummary: closedObject(FIELDS),
    EntryCounts: closedObject(COUNTS),
    AssignmentCounts: {
      ...closedObject(
        {
          by: wordOf(SUMMARY_BY),
          data: listOf(
            closedObject({
              value: {
                ...orNull(text('An e-mail, the name of a rule, a reason or a day', 254)),
                description: 'What the entries have in common; null for no user or no rule',
              },
              ...COUNTS,
            }),
            MOST_LINES,
          ),
          total: reference('EntryCounts'),
        },
        { more: { type: 'boolean', enum: [true], description: 'Where there are other lines' } },
      ),
      examples: [COUNTS_EXAMPLE],
    },
    AssignmentList: pageOf('AssignmentSummary', ASSIGNMENT_EXAMPLE),
  };
}
