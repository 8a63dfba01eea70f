import { TRACE_STEPS, type StepKind, type TraceKind, type TraceValue } from '../engine/index.js';
import {
  closedObject,
  EMAIL,
  ID,
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
