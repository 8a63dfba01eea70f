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
import { ASSIGNMENT_EXAMPLE, TRACE_EXAMPLE } from './assignment.example.js';

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
    AssignmentList: pageOf('AssignmentSummary', ASSIGNMENT_EXAMPLE),
  };
}
