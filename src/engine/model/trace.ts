/** One evaluated condition of a trigger. */
export interface ConditionTrace {
  readonly field: string;
  readonly operator: string;
  /** The operand as configured, cut to 200 characters of JSON. */
  readonly value?: unknown;
  /** The record's value, cut to 200 characters; null for none. */
  readonly saw: string | null;
  readonly held: boolean;
  /** Why the condition could not be evaluated, so that it does not hold. */
  readonly problem?: string;
}

/** Users who are not eligible, for the same reasons. */
export interface ExcludedUsers {
  readonly reasons: readonly string[];
  readonly users: readonly string[];
  /** Of each of the users, the numbers that the failed checks compared, where there are some. */
  readonly saw?: readonly string[];
}

/** The numbers that decided a turn, one row per candidate in the configured order. */
export interface DistributionExplanation {
  /** The rule that decided. */
  readonly rule: string;
  /** The names of the columns. The first is the candidate. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The types of values by their kinds. Each kind has its schema in `dispatch/dispatch.schemas.ts`. */
interface TraceValues {
  readonly conditions: readonly (readonly ConditionTrace[])[];
  readonly count: number;
  readonly emails: readonly string[];
  readonly excluded: readonly ExcludedUsers[];
  readonly flag: boolean;
  readonly id: string;
  readonly lines: readonly (readonly string[])[];
  readonly name: string;
  readonly 'nothing or text': string | null;
  readonly pairs: readonly (readonly [field: string, value: string | null])[];
  readonly reasons: readonly string[];
  readonly rows: DistributionExplanation['rows'];
  readonly text: string;
  readonly texts: readonly string[];
  readonly user: string;
  readonly yes: true;
}

/** Kinds of values. */
export type TraceKind = keyof TraceValues;

/**
 * What a key of a step has: its kind, how the OpenAPI document describes it, and the least and the greatest
 * of a count, or the most characters of a text. Of a word all that it may be, and the description.
 */
export type TraceValue =
  | readonly [kind: TraceKind, about?: string, ...range: readonly number[]]
  | readonly [words: readonly string[], about?: string];

/** What a kind of step says: what it always has, and what it has in some cases. */
export interface StepKind {
  readonly about: string;
  readonly always: Readonly<Record<string, TraceValue>>;
  readonly sometimes?: Readonly<Record<string, TraceValue>>;
}

const CONDITIONS = ['conditions', 'Groups are OR-ed, conditions in a group AND-ed'] as const;
/** The step of a router or rule whose pool is looked at. */
const PLACE = ['count', 'The step; left out for the own pool', 1, 20] as const;

/** Every kind of step: what it says, what it always has, and what it has in some cases. */
export const TRACE_STEPS = {
  router: {
    about: 'The router does not run',
    always: { published: ['flag'], settings: ['flag'] },
  },
  trigger: {
    about: 'Whether the trigger of the router matches',
    always: { matched: ['flag'], groups: CONDITIONS },
  },
  /** Where account matching has named nobody. */
  rules: {
    about: 'The rule that decides',
    always: {
      matched: ['nothing or text', 'Name of the first rule whose trigger matches; null for none'],
      passed_over: ['count', 'Number of rules before it, or of all if none matched', 0],
    },
    sometimes: {
      groups: CONDITIONS,
      /** At most 20. Texts are cut. Fewer are listed if the trace would otherwise be too large. */
      first_passed_over: ['lines', 'The first of the rules that were passed over'],
      /** Once for each field; null for no value. */
      saw: ['pairs', 'The values that those conditions saw'],
      refuses: ['yes', 'The rule assigns nobody'],
      otherwise: [['own_pool', 'default_user', 'nobody'], 'What happens as no rule matched'],
    },
  },
  overwrite: {
    about: 'Whether the owner may be set',
    always: {
      field: ['text', 'Internal name of a field'],
      owner: ['nothing or text', 'The present owner; null for none'],
      allowed: ['flag'],
      because: [['no_owner', 'overwrite', 'owner_unavailable', 'owner_present']],
    },
    sometimes: { unavailable: ['reasons', 'Why the owner is unavailable'] },
  },
  account_matching: {
    about: "Whether the owner of the contact's company gets the contact",
    always: { outcome: [['assigned', 'no_company', 'no_owner', 'owner_not_eligible']] },
    sometimes: {
      host: ['text', 'The host of the e-mail of the contact', 253],
      company_id: ['id'],
      owner: ['text', 'The owner of the company'],
      /** The failed checks, also with `account_matching_unavailable_owner: assign`. */
      reasons: ['reasons'],
    },
  },
  eligibility: {
    about: 'Who of a pool may get the record. With turns by team, one step for each team',
    always: {
      in: ['emails', 'Those who may'],
      out: ['excluded', 'Those who may not, by the reasons'],
    },
    sometimes: {
      place: PLACE,
      team: ['name'],
      listed_before: [
        'count',
        'The number of those who are out for the reasons that a step before lists them with',
        1,
      ],
    },
  },
  /** Users excluded by working hours alone then count as eligible. */
  ignore_working_hours: {
    about: 'Everybody is outside working hours, and that does not count',
    always: { candidates: ['count', 'The number of users who count as eligible', 0] },
  },
  /** Credits are in assignments, of 6 places, or 4 for more than 30 candidates. `last` 0 is never. */
  distribution: {
    about: 'The turn that was taken, with the numbers that decided it',
    always: {
      model: ['text', 'Id of the distribution model'],
      among: ['text', '`users`, `teams`, or the name of the team whose members took turns'],
      chosen: ['text', 'The candidate who was chosen'],
      rule: ['text', 'How the model decided'],
      columns: ['texts', 'The first is the candidate'],
      rows: ['rows', 'One for each candidate'],
    },
    sometimes: { place: PLACE, without_share: ['texts', 'Those whose share is 0'] },
  },
  default_user: {
    about: 'The backup user, if nobody was available or no rule matched',
    always: {
      user: ['nothing or text', 'E-mail; null for none'],
      outcome: [['assigned', 'disabled', 'not_set', 'not_a_user', 'not_available']],
    },
    sometimes: {
      reasons: ['reasons'],
      saw: ['text', 'The numbers that the failed checks compared, such as `40/40`'],
    },
  },
  already_owner: {
    about: 'The user who was chosen has the record already',
    always: {
      user: ['user'],
      chosen_by: ['text', 'The reason that the assignment would have had'],
    },
  },
} as const satisfies Readonly<Record<string, StepKind>>;

type Steps = typeof TRACE_STEPS;
type Typed<Values> = {
  readonly [Key in keyof Values]: Values[Key] extends readonly [infer Kind, ...unknown[]]
    ? Kind extends keyof TraceValues
      ? TraceValues[Kind]
      : Kind extends readonly (infer Word)[]
        ? Word
        : never
    : never;
};

/** The step of a kind. */
export type StepOf<Kind extends keyof Steps> = { readonly step: Kind } & Typed<Steps[Kind]['always']> &
  (Steps[Kind] extends { readonly sometimes: infer Values } ? Partial<Typed<Values>> : unknown);

/** One step of a decision. */
export type TraceStep = { [Kind in keyof Steps]: StepOf<Kind> }[keyof Steps];

/** All steps in order, as JSON: below 8 KB for 50 candidates and 1,000 rules. */
export type Trace = readonly TraceStep[];

/** The most characters of one value in a trace. */
export const TRACE_TEXT_LIMIT = 200;

/** Shortens a text for a trace: behind 200 characters, or the limit, comes an ellipsis. */
export function shortText(text: string, limit = TRACE_TEXT_LIMIT): string {
  if (text.length <= limit) {
    return text;
  }
  const cut = text.slice(0, limit - 1);
  // Half a surrogate pair is invalid text, which PostgreSQL does not store.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Shortens a JSON value for a trace: a value whose JSON has more than 200 characters becomes cut text. */
export function shortJson(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.length <= TRACE_TEXT_LIMIT ? value : shortText(json);
}
