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
const FIELD = text('Internal name of a field');

/** The step of a router or rule whose pool it is. */
const PLACE: Schemas = { place: { ...integer(1, 20), description: 'The step; left out for the own pool' } };

/** What a check has compared, and why it failed. */
const REASON = text('A stable word: the check that failed');
const SAW = text('The numbers that the failed checks compared, such as `40/40`');

const CONDITIONS: Schema = {
  ...listOf(listOf(reference('TraceCondition'))),
  description: 'Groups are OR-ed, conditions in a group AND-ed',
};

const CONDITION = closedObject(
  {
    field: FIELD,
    operator: text('Such as `eq`'),
    saw: orNull(text('The value of the record, cut; null for none')),
    held: FLAG,
  },
  {
    value: { description: 'The operand as configured, cut' },
    problem: text('Why the condition could not be evaluated, so that it does not hold'),
  },
);

const PAIR: Schema = {
  ...listOf(orNull(text('Name of the field, then the value')), 2),
  minItems: 2,
};

const EXCLUDED = closedObject(
  { reasons: listOf(REASON), users: listOf(EMAIL) },
  { saw: { ...listOf(SAW), description: 'Of each of the users, in their order' } },
);

/** One kind of step: what it always has, and what it has in some cases. */
interface Step {
  readonly about: string;
  readonly always: Schemas;
  readonly sometimes?: Schemas;
}

/** Each kind of step by its word. */
const STEPS: Readonly<Record<string, Step>> = {
  router: { about: 'The router does not run', always: { published: FLAG, settings: FLAG } },
  trigger: {
    about: 'Whether the trigger of the router matches',
    always: { matched: FLAG, groups: CONDITIONS },
  },
  rules: {
    about: 'The rule that decides',
    always: {
      matched: orNull(text('Name of the first rule whose trigger matches; null for none')),
      passed_over: { ...integer(0), description: 'Number of rules before it, or of all if none matched' },
    },
    sometimes: {
      groups: CONDITIONS,
      first_passed_over: {
        ...listOf(listOf(text('The name, then of each group the first condition that does not hold'))),
        description: 'The first of the rules that were passed over',
      },
      saw: { ...listOf(PAIR), description: 'The values that those conditions saw' },
      refuses: { type: 'boolean', enum: [true], description: 'The rule assigns nobody' },
      otherwise: wordOf(['own_pool', 'default_user', 'nobody'], 'What happens as no rule matched'),
    },
  },
  overwrite: {
    about: 'Whether the owner may be set',
    always: {
      field: FIELD,
      owner: orNull(text('The present owner; null for none')),
      allowed: FLAG,
      because: wordOf(['no_owner', 'overwrite', 'owner_unavailable', 'owner_present']),
    },
    sometimes: { unavailable: { ...listOf(REASON), description: 'Why the owner is unavailable' } },
  },
  account_matching: {
    about: "Whether the owner of the contact's company gets the contact",
    always: { outcome: wordOf(['assigned', 'no_company', 'no_owner', 'owner_not_eligible']) },
    sometimes: {
      host: text('The host of the e-mail of the contact', 253),
      company_id: ID,
      owner: text('The owner of the company'),
      reasons: listOf(REASON),
    },
  },
  eligibility: {
    about: 'Who of a pool may get the record. With turns by team, one step for each team',
    always: {
      in: { ...listOf(EMAIL), description: 'Those who may' },
      out: { ...listOf(EXCLUDED), description: 'Those who may not, by the reasons' },
    },
    sometimes: {
      ...PLACE,
      team: NAME,
      listed_before: {
        ...integer(1),
        description: 'The number of those who are out for the reasons that a step before lists them with',
      },
    },
  },
  ignore_working_hours: {
    about: 'Everybody is outside working hours, and that does not count',
    always: { candidates: { ...integer(0), description: 'The number of users who count as eligible' } },
  },
  distribution: {
    about: 'The turn that was taken, with the numbers that decided it',
    always: {
      model: text('Id of the distribution model'),
      among: text('`users`, `teams`, or the name of the team whose members took turns'),
      chosen: text('The candidate who was chosen'),
      rule: text('How the model decided'),
      columns: { ...listOf(text('A column')), description: 'The first is the candidate' },
      rows: {
        ...listOf(listOf({ type: ['string', 'number'], maxLength: 1_000, pattern: '^[^\\u0000]*$' })),
        description: 'One for each candidate',
      },
    },
    sometimes: {
      ...PLACE,
      without_share: { ...listOf(text('A candidate')), description: 'Those whose share is 0' },
    },
  },
  default_user: {
    about: 'The backup user, if nobody was available or no rule matched',
    always: {
      user: orNull(text('E-mail; null for none')),
      outcome: wordOf(['assigned', 'disabled', 'not_set', 'not_a_user', 'not_available']),
    },
    sometimes: { reasons: listOf(REASON), saw: SAW },
  },
  already_owner: {
    about: 'The user who was chosen has the record already',
    always: { user: EMAIL, chosen_by: text('The reason that the assignment would have had') },
  },
};

const title = (step: string): string =>
  `${step.replace(/(^|_)(\w)/g, (_match, _before, letter: string) => letter.toUpperCase())}Step`;

/** Returns the schemas of the steps of a decision, and `TraceStep`, which is one of them. */
export function traceSchemas(): Schemas {
  const steps = Object.entries(STEPS).map(([step, { about, always, sometimes }]): [string, Schema] => [
    step,
    { description: about, ...closedObject({ step: wordOf([step]), ...always }, sometimes) },
  ]);
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
