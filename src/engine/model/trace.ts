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

/** What a key of a step has: how the OpenAPI document describes it, and its type. */
export interface TraceValue<Type = unknown> {
  readonly kind: TraceKind;
  readonly about?: string | undefined;
  /** Those of a `word`. */
  readonly words?: readonly string[];
  /** The least and the greatest of a `count`, the most characters of a `text`. */
  readonly range?: readonly number[];
  /** Says the type, and is never there. */
  readonly type?: Type;
}

/** Kinds of values. Each has its schema in `dispatch/trace.schemas.ts`. */
export type TraceKind =
  | 'conditions'
  | 'count'
  | 'emails'
  | 'excluded'
  | 'flag'
  | 'id'
  | 'lines'
  | 'name'
  | 'nothing or text'
  | 'pairs'
  | 'reasons'
  | 'rows'
  | 'text'
  | 'texts'
  | 'user'
  | 'word'
  | 'yes';

const of =
  <Type>(kind: TraceKind) =>
  (about?: string, ...range: readonly number[]): TraceValue<Type> => ({ kind, about, range });
const count = of<number>('count');
const flag = of<boolean>('flag');
const reasons = of<readonly string[]>('reasons');
const text = of<string>('text');
const texts = of<readonly string[]>('texts');
const textOrNull = of<string | null>('nothing or text');
const word = <const Word extends string>(words: readonly Word[], about?: string): TraceValue<Word> => ({
  kind: 'word',
  words,
  about,
});

const conditions = of<readonly (readonly ConditionTrace[])[]>('conditions')(
  'Groups are OR-ed, conditions in a group AND-ed',
);
const field = text('Internal name of a field');
/** The step of a router or rule whose pool is looked at. */
const place = count('The step; left out for the own pool', 1, 20);

/** Every kind of step: what it says, what it always has, and what it has in some cases. */
export const TRACE_STEPS = {
  router: {
    about: 'The router does not run',
    always: { published: flag(), settings: flag() },
    sometimes: {},
  },
  trigger: {
    about: 'Whether the trigger of the router matches',
    always: { matched: flag(), groups: conditions },
    sometimes: {},
  },
  /** Where account matching has named nobody. */
  rules: {
    about: 'The rule that decides',
    always: {
      matched: textOrNull('Name of the first rule whose trigger matches; null for none'),
      passed_over: count('Number of rules before it, or of all if none matched', 0),
    },
    sometimes: {
      groups: conditions,
      /** At most 20. Texts are cut. Fewer are listed if the trace would otherwise be too large. */
      first_passed_over: of<readonly (readonly string[])[]>('lines')(
        'The first of the rules that were passed over',
      ),
      /** Once for each field; null for no value. */
      saw: of<readonly (readonly [field: string, value: string | null])[]>('pairs')(
        'The values that those conditions saw',
      ),
      refuses: of<true>('yes')('The rule assigns nobody'),
      otherwise: word(['own_pool', 'default_user', 'nobody'], 'What happens as no rule matched'),
    },
  },
  overwrite: {
    about: 'Whether the owner may be set',
    always: {
      field,
      owner: textOrNull('The present owner; null for none'),
      allowed: flag(),
      because: word(['no_owner', 'overwrite', 'owner_unavailable', 'owner_present']),
    },
    sometimes: { unavailable: reasons('Why the owner is unavailable') },
  },
  account_matching: {
    about: "Whether the owner of the contact's company gets the contact",
    always: { outcome: word(['assigned', 'no_company', 'no_owner', 'owner_not_eligible']) },
    sometimes: {
      host: text('The host of the e-mail of the contact', 253),
      company_id: of<string>('id')(),
      owner: text('The owner of the company'),
      /** The failed checks, also with `account_matching_unavailable_owner: assign`. */
      reasons: reasons(),
    },
  },
  eligibility: {
    about: 'Who of a pool may get the record. With turns by team, one step for each team',
    always: {
      in: of<readonly string[]>('emails')('Those who may'),
      out: of<readonly ExcludedUsers[]>('excluded')('Those who may not, by the reasons'),
    },
    sometimes: {
      place,
      team: of<string>('name')(),
      listed_before: count(
        'The number of those who are out for the reasons that a step before lists them with',
        1,
      ),
    },
  },
  /** Users excluded by working hours alone then count as eligible. */
  ignore_working_hours: {
    about: 'Everybody is outside working hours, and that does not count',
    always: { candidates: count('The number of users who count as eligible', 0) },
    sometimes: {},
  },
  /**
   * Credits are in assignments, rounded to 6 places, or to 4 for more than 30 candidates. `last` is the
   * number of the last turn, 0 for never.
   */
  distribution: {
    about: 'The turn that was taken, with the numbers that decided it',
    always: {
      model: text('Id of the distribution model'),
      among: text('`users`, `teams`, or the name of the team whose members took turns'),
      chosen: text('The candidate who was chosen'),
      rule: text('How the model decided'),
      columns: texts('The first is the candidate'),
      rows: of<DistributionExplanation['rows']>('rows')('One for each candidate'),
    },
    sometimes: { place, without_share: texts('Those whose share is 0') },
  },
  default_user: {
    about: 'The backup user, if nobody was available or no rule matched',
    always: {
      user: textOrNull('E-mail; null for none'),
      outcome: word(['assigned', 'disabled', 'not_set', 'not_a_user', 'not_available']),
    },
    sometimes: {
      reasons: reasons(),
      saw: text('The numbers that the failed checks compared, such as `40/40`'),
    },
  },
  already_owner: {
    about: 'The user who was chosen has the record already',
    always: {
      user: of<string>('user')(),
      chosen_by: text('The reason that the assignment would have had'),
    },
    sometimes: {},
  },
} as const;

type Steps = typeof TRACE_STEPS;
type Typed<Values> = {
  readonly [Key in keyof Values]: Values[Key] extends TraceValue<infer Type> ? Type : never;
};

/** The step of a kind. */
export type StepOf<Kind extends keyof Steps> = { readonly step: Kind } & Typed<Steps[Kind]['always']> &
  Partial<Typed<Steps[Kind]['sometimes']>>;

/** One step of a decision. */
export type TraceStep = { [Kind in keyof Steps]: StepOf<Kind> }[keyof Steps];

/**
 * All steps of a decision in order, as JSON. Below 8 KB for 50 candidates with addresses of 40 characters and
 * 1,000 rules.
 */
export type Trace = readonly TraceStep[];

/** The most characters of one value in a trace. */
export const TRACE_TEXT_LIMIT = 200;

/**
 * Shortens a text for a trace: beyond 200 characters, or the given limit, it is cut and ends with an
 * ellipsis.
 */
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
