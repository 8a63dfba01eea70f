import type { INestApplicationContext } from '@nestjs/common';
import { TRACE_EXAMPLE } from '../assignments/http.js';
import {
  ASSIGNED_MESSAGE,
  ASSIGNED_REASONS,
  REFUSALS,
  TRACE_STEPS,
  type DistributionModel,
  type StepKind,
  type TraceKind,
  type TraceValue,
} from '../engine/index.js';
import {
  closedObject,
  EMAIL,
  errorProperties,
  FAILING_FIELDS,
  ID,
  INSTANT,
  integer,
  listOf,
  NAME,
  orNull,
  reference,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { DISTRIBUTION_MODELS } from '../routers/index.js';
import { fairnessSchemas } from './fairness/fairness.controller.js';
import type { AssignedResult, NotAssignedResult } from './transaction/dispatch-result.js';

/** Most objects of a batch. */
const BATCH = 100;

const ROUTER_ID = '01a20618-697d-7000-b976-b6cff717a0ea';
const OBJECT_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';
const OTHER_ID = '019a8f2c-93aa-7c21-b0e4-1b2c3d4e5f60';
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

const RESULTS = [
  assigned('round_robin'),
  assigned('already_owner'),
  refused('owner_present', { user: 'grace@demo.test' }),
  refused('rule_refused'),
  refused('no_rule_matched'),
  refused('assignment_limit_reached'),
];

const { assignment_id: _, ...SIMULATED } = assigned('round_robin');

/** The answer of a batch: one that was assigned, and one that is not there. */
const BATCH_RESULTS = [
  { object_id: OBJECT_ID, status: 200, ...assigned('round_robin') },
  {
    object_id: OTHER_ID,
    status: 404,
    message: 'Object not found',
    error: true,
    code: 'not_found',
    request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
  },
];

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
    edit: {
      summary: 'By an edit of the draft that is not stored',
      value: {
        router_id: ROUTER_ID,
        fields: { first_name: 'Edith' },
        router: { settings: { overwrite: true } },
      },
    },
  },
};

const ROUTER: Schema = { ...ID, description: 'A router of the account' };
const OBJECT: Schema = { ...ID, description: "An active record of the router's object type" };

const REQUEST_SCHEMAS: Schemas = {
  DispatchRequest: closedObject({ router_id: ROUTER, object_id: OBJECT }),
  BatchRequest: closedObject({
    router_id: ROUTER,
    object_ids: {
      ...listOf(ID, BATCH),
      minItems: 1,
      description: 'Active records, in the order to decide on',
    },
  }),
  SimulationRequest: closedObject(
    { router_id: ROUTER },
    {
      object_id: OBJECT,
      fields: {
        type: 'object',
        additionalProperties: true,
        description:
          'In the place of `object_id`: the fields of a record that does not exist, as in a create',
      },
      at: { ...INSTANT, description: 'The instant to decide at; now unless given' },
      version: {
        oneOf: [wordOf(['live', 'draft']), integer(1)],
        description:
          'The version of the router to run; `live` unless given. A draft and a version by number run as if they ' +
          'were published.',
      },
      router: {
        allOf: [reference('RouterChanges')],
        description:
          'In the place of `version`: the body of a PATCH of the router. What it would make of the draft runs as if ' +
          'it were published, and is not stored. It is refused as the PATCH would be',
      },
    },
  ),
};

const REFUSED_REASONS = Object.keys(REFUSALS);
const ASSIGNMENT: Schemas = { assignment_id: { ...ID, description: 'The entry of the assignment log' } };
const TRACE: Schemas = {
  trace: { ...listOf(reference('TraceStep')), description: 'Every step that was weighed, in order' },
};

/** The further keys of an entry of a batch. @param status that a single dispatch would have */
const entry = (status: Schema): Schemas => ({ object_id: text('As it was sent'), status });

/**
 * Returns the schemas of the two answers of a dispatch.
 * @param reasons of assignments @param titles of both @param more keys that both have
 */
function results(reasons: readonly string[], titles: readonly [string, string], more: Schemas): Schema[] {
  const assignedResult = closedObject({
    message: wordOf([ASSIGNED_MESSAGE]),
    success: { type: 'boolean', enum: [true] },
    user: { ...EMAIL, description: 'The owner' },
    field_name: text('The owner field that has this user'),
    owner_assigned_at: {
      type: 'string',
      maxLength: 31,
      pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} \\+0000$',
      description: 'RFC 2822, UTC: since when. With `already_owner` it has not changed',
    },
    reason: wordOf(reasons, '`already_owner`: the record stays as it is, and no turn and no limit is used'),
    ...more,
  });
  const notAssigned = closedObject(
    {
      message: wordOf([...new Set(Object.values(REFUSALS))], 'Why nobody was assigned'),
      success: { type: 'boolean', enum: [false] },
      reason: wordOf(REFUSED_REASONS, 'The same as a stable word'),
      ...more,
    },
    { user: { ...EMAIL, description: 'With `owner_present` only: the present owner' } },
  );
  return [
    { title: titles[0], ...assignedResult },
    { title: titles[1], ...notAssigned },
  ];
}

/** Returns the schemas of dispatch in the OpenAPI document of an application. */
export function dispatchSchemas(app: Pick<INestApplicationContext, 'get'>): Schemas {
  const models = app.get<readonly DistributionModel[]>(DISTRIBUTION_MODELS, { strict: false });
  const reasons = [...new Set([...ASSIGNED_REASONS, ...models.map(({ reason }) => reason)])];
  const ran = { ...entry({ ...integer(200, 200), enum: [200] }), ...ASSIGNMENT };
  const failed = closedObject({ ...entry(integer(400, 599)), ...errorProperties() }, FAILING_FIELDS);
  const items = {
    oneOf: [...results(reasons, ['Assigned', 'Not assigned'], ran), { title: 'Refused', ...failed }],
  };
  const description =
    'In the order of the request: the status and the body that a single dispatch would have had';
  return {
    ...REQUEST_SCHEMAS,
    ...traceSchemas(),
    ...fairnessSchemas(),
    Reason: wordOf([...reasons, ...REFUSED_REASONS], 'What decided, as a stable word'),
    DispatchResult: {
      oneOf: results(reasons, ['Assigned', 'Not assigned'], ASSIGNMENT),
      examples: RESULTS,
    },
    Simulation: {
      description: 'The body of a dispatch without assignment_id, with every step that was weighed',
      oneOf: results(reasons, ['Would be assigned', 'Would not be assigned'], TRACE),
      examples: [{ ...SIMULATED, trace: TRACE_EXAMPLE }],
    },
    BatchResults: {
      ...closedObject({ results: { ...listOf(items, BATCH), description } }),
      examples: [{ results: BATCH_RESULTS }],
    },
  };
}

const FLAG: Schema = { type: 'boolean' };
const REASON = text('A stable word: the check that failed');
const SAW = text('The numbers that the failed checks compared, such as `40/40`');

const CONDITION = closedObject(
  {
    field: text('Internal name of a field'),
    operator: text('Such as `eq`'),
    saw: orNull(text('The value of the record, cut; null for none')),
    held: FLAG,
  },
  {
    value: { description: 'The operand as configured, cut' },
    problem: text('Why the condition could not be evaluated, so that it does not hold'),
  },
);

const EXCLUDED = closedObject(
  { reasons: listOf(REASON), users: listOf(EMAIL) },
  { saw: { ...listOf(SAW), description: 'Of each of the users, in their order' } },
);

/** The schemas of values by their kinds. */
const OF_KIND: Readonly<Record<TraceKind, (about: string, range: readonly number[]) => Schema>> = {
  conditions: () => listOf(listOf(reference('TraceCondition'))),
  count: (_, [least = 0, greatest]) => integer(least, greatest),
  emails: () => listOf(EMAIL),
  excluded: () => listOf(EXCLUDED),
  flag: () => FLAG,
  id: () => ID,
  lines: () => listOf(listOf(text('The name, then of each group the first condition that does not hold'))),
  name: () => NAME,
  'nothing or text': (about) => orNull(text(about)),
  pairs: () => listOf({ ...listOf(orNull(text('Name of the field, then the value')), 2), minItems: 2 }),
  reasons: () => listOf(REASON),
  rows: () => listOf(listOf({ type: ['string', 'number'], maxLength: 1_000, pattern: '^[^\\u0000]*$' })),
  text: (about, [longest]) => text(about, longest),
  texts: () => listOf(text('A candidate, or a column')),
  user: () => EMAIL,
  yes: () => ({ type: 'boolean', enum: [true] }),
};

function schemasOf(values: Readonly<Record<string, TraceValue>> = {}): Schemas {
  return Object.fromEntries(
    Object.entries(values).map(([key, [kind, about, ...range]]): [string, Schema] => {
      const schema = typeof kind === 'string' ? OF_KIND[kind](about ?? '', range) : wordOf(kind);
      return [key, { ...schema, ...(about !== undefined && { description: about }) }];
    }),
  );
}

const title = (step: string): string =>
  `${step.replace(/(^|_)(\w)/g, (_match, _before, letter: string) => letter.toUpperCase())}Step`;

/** Returns the schemas of the steps of a decision, and `TraceStep`, which is one of them. */
export function traceSchemas(): Schemas {
  const steps = Object.entries<StepKind>(TRACE_STEPS).map(([step, { about, always, sometimes }]) => {
    const values = closedObject({ step: wordOf([step]), ...schemasOf(always) }, schemasOf(sometimes));
    return [step, { description: about, ...values }] as const;
  });
  const mapping = Object.fromEntries(steps.map(([step]) => [step, reference(title(step)).$ref]));
  return {
    ...Object.fromEntries(steps.map(([step, schema]) => [title(step), schema])),
    TraceCondition: CONDITION,
    TraceStep: {
      description: 'One step of a decision: `step` says which',
      oneOf: steps.map(([step]) => reference(title(step))),
      discriminator: { propertyName: 'step', mapping },
    },
  };
}
