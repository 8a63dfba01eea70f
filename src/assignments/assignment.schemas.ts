import { OBJECT_TYPES } from '../fields/index.js';
import { closedObject, ID, pageOf, text, TIME, type Schema, type Schemas } from '../http/index.js';

const email = (description: string): Schema => ({ type: ['string', 'null'], description });

const FIELDS: Schemas = {
  id: ID,
  router_id: ID,
  router_version: {
    type: ['integer', 'null'],
    description:
      'The version that has decided; null where the router was unpublished, or had no versions yet',
  },
  object_id: ID,
  object_type: { type: 'string', enum: [...OBJECT_TYPES] },
  user: email('The new owner, or with `already_owner` the present one; null when no one was assigned'),
  previous_user: email('The owner before; null for none'),
  reason: text('A stable word for what decided, as the dispatch answered it'),
  message: { type: 'string' },
  created_at: TIME,
};

/** Returns the schemas of the assignment log in the OpenAPI document. */
export function assignmentSchemas(): Schemas {
  const trace: Schema = {
    type: ['array', 'null'],
    items: { type: 'object', required: ['step'], properties: { step: text('What was weighed') } },
    description: 'Every step that was weighed, in order; null once it was pruned',
  };
  return {
    Assignment: closedObject({ ...FIELDS, trace }),
    AssignmentSummary: closedObject(FIELDS),
    AssignmentList: pageOf('AssignmentSummary'),
  };
}
