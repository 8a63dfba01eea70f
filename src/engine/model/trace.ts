/** One condition of the trigger as it was weighed. */
export interface ConditionTrace {
  readonly field: string;
  readonly operator: string;
  /** The operand as configured, cut to 200 characters of JSON. */
  readonly value?: unknown;
  /** The record's value, cut to 200 characters; null for none. */
  readonly saw: string | null;
  readonly held: boolean;
  /** Why the condition could not be weighed and so did not hold. */
  readonly problem?: string;
}

/** Whether the router runs at all; only where it does not. */
export interface RouterStep {
  readonly step: 'router';
  readonly published: boolean;
  readonly settings: boolean;
}

/** Groups are OR-ed, conditions in a group AND-ed. */
export interface TriggerStep {
  readonly step: 'trigger';
  readonly matched: boolean;
  readonly groups: readonly (readonly ConditionTrace[])[];
}

/** Which of the router's rules decided, after the router's own trigger had matched. */
export interface RulesStep {
  readonly step: 'rules';
  /** Name of the first rule whose trigger matched; null where none did. */
  readonly matched: string | null;
  /** Every condition of that rule. */
  readonly groups?: readonly (readonly ConditionTrace[])[];
  /** How many rules come before it, or how many there are where none matched. */
  readonly passed_over: number;
  /**
   * The first of those passed over, at most 20: the name, then of each group the first condition that did not hold. Texts
   * are cut, and fewer rules are listed where the trace would otherwise be too large.
   */
  readonly first_passed_over?: readonly (readonly string[])[];
  /** What those conditions saw, once for each field; null for no value. */
  readonly saw?: readonly (readonly [field: string, value: string | null])[];
  /** Whose turn it is where no rule matched: the router's own pool, or nobody's. */
  readonly otherwise?: 'own_pool' | 'nobody';
}

/** Whether the owner field may be set. */
export interface OverwriteStep {
  readonly step: 'overwrite';
  readonly field: string;
  /** The present owner; null for none. */
  readonly owner: string | null;
  readonly allowed: boolean;
  readonly because: 'no_owner' | 'overwrite' | 'owner_unavailable' | 'owner_present';
  /** What makes the owner unavailable, where that counted. */
  readonly unavailable?: readonly string[];
}

/** Whether the owner of the contact's company gets the contact. */
export interface AccountMatchingStep {
  readonly step: 'account_matching';
  readonly outcome: 'assigned' | 'no_company' | 'no_owner' | 'owner_not_eligible';
  readonly host?: string;
  readonly company_id?: string;
  readonly owner?: string;
  /** What keeps the matched owner from the record, or would have but for `account_matching_unavailable_owner`. */
  readonly reasons?: readonly string[];
}

/** Who of the pool is in and who is out and why; with turns by team one step per team. */
export interface EligibilityStep {
  readonly step: 'eligibility';
  readonly team?: string;
  readonly in: readonly string[];
  /** Gathered by what keeps them out, so that the reasons are not repeated for everyone. */
  readonly out: readonly {
    readonly reasons: readonly string[];
    readonly users: readonly string[];
    /** What kept each of the users out, in their order, such as `40/40`; only where checks say. */
    readonly saw?: readonly string[];
  }[];
}

/** Nobody was eligible and everyone available is outside working hours, so those kept out by nothing but working hours count as inside. */
export interface IgnoreWorkingHoursStep {
  readonly step: 'ignore_working_hours';
  /** How many they are. */
  readonly candidates: number;
}

/** The numbers that decided a turn, one row per candidate in the configured order. */
export interface DistributionExplanation {
  /** The word for what decided. */
  readonly rule: string;
  /** What the places of a row mean; the first is the candidate. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/**
 * Whose turn it was. Credits are in assignments, rounded to 6 places, or to 4 where there are more than 30 candidates;
 * `last` is the number of the last turn, 0 for never.
 */
export interface DistributionStep extends DistributionExplanation {
  readonly step: 'distribution';
  /** Id of the distribution model. */
  readonly model: string;
  /** `users`, `teams`, or the name of the team whose members took turns. */
  readonly among: string;
  readonly chosen: string;
  /** Those eligible whose share is 0. */
  readonly without_share?: readonly string[];
}

/** The backup, where nobody was available. */
export interface DefaultUserStep {
  readonly step: 'default_user';
  readonly user: string | null;
  readonly outcome: 'assigned' | 'disabled' | 'not_set' | 'not_a_user';
}

/** One step of a decision. */
export type TraceStep =
  | RouterStep
  | TriggerStep
  | RulesStep
  | OverwriteStep
  | AccountMatchingStep
  | EligibilityStep
  | IgnoreWorkingHoursStep
  | DistributionStep
  | DefaultUserStep;

/**
 * In order, every step that was weighed: JSON as it stands, below 8 KB for 50 candidates with addresses of 40 characters
 * and 1,000 rules.
 */
export type Trace = readonly TraceStep[];
