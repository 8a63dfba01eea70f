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

/** The router does not run. Present only in that case. */
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

/** The rule that decides, where account matching has named nobody. */
export interface RulesStep {
  readonly step: 'rules';
  /** Name of the first rule whose trigger matches; null for none. */
  readonly matched: string | null;
  /** Every condition of that rule. */
  readonly groups?: readonly (readonly ConditionTrace[])[];
  /** The number of rules before it, or of all rules if none matched. */
  readonly passed_over: number;
  /**
   * The first of the rules passed over, at most 20: the name, then of each group the first condition that
   * does not hold. Texts are cut. Fewer rules are listed if the trace would otherwise be too large.
   */
  readonly first_passed_over?: readonly (readonly string[])[];
  /** The values that those conditions saw, once for each field; null for no value. */
  readonly saw?: readonly (readonly [field: string, value: string | null])[];
  /** Only if the rule that matched refuses the record. */
  readonly refuses?: true;
  /** Only if no rule matched: the router's own pool takes a turn, the backup user is asked, or nobody is. */
  readonly otherwise?: 'own_pool' | 'default_user' | 'nobody';
}

/** Whether the owner field may be set. */
export interface OverwriteStep {
  readonly step: 'overwrite';
  readonly field: string;
  /** The present owner; null for none. */
  readonly owner: string | null;
  readonly allowed: boolean;
  readonly because: 'no_owner' | 'overwrite' | 'owner_unavailable' | 'owner_present';
  /** Why the owner is unavailable, if that was decisive. */
  readonly unavailable?: readonly string[];
}

/** Whether the owner of the contact's company gets the contact. */
export interface AccountMatchingStep {
  readonly step: 'account_matching';
  readonly outcome: 'assigned' | 'no_company' | 'no_owner' | 'owner_not_eligible';
  readonly host?: string;
  readonly company_id?: string;
  readonly owner?: string;
  /** The failed checks of the matched owner, also with `account_matching_unavailable_owner: assign`. */
  readonly reasons?: readonly string[];
}

/** The step of a router or rule whose pool is looked at; left out for its own pool. */
interface OfPool {
  /** From 1. */
  readonly place?: number;
}

/** The eligible users of a pool, and the others with the reasons. With turns by team, one step per team. */
export interface EligibilityStep extends OfPool {
  readonly step: 'eligibility';
  readonly team?: string;
  readonly in: readonly string[];
  /** Grouped by the reasons, so that they are not repeated for every user. */
  readonly out: readonly {
    readonly reasons: readonly string[];
    readonly users: readonly string[];
    /**
     * For each of the users, in their order, the numbers that the failed checks compared, such as `40/40`.
     * Only if checks give them.
     */
    readonly saw?: readonly string[];
  }[];
  /**
   * The number of those who are out here as in a pool before, which lists them with the reasons. Only if
   * there are some.
   */
  readonly listed_before?: number;
}

/**
 * No user was eligible and every available user is outside working hours. Users excluded by working hours
 * alone then count as eligible.
 */
export interface IgnoreWorkingHoursStep {
  readonly step: 'ignore_working_hours';
  /** The number of users who count as eligible. */
  readonly candidates: number;
}

/** The numbers that decided a turn, one row per candidate in the configured order. */
export interface DistributionExplanation {
  /** The rule that decided. */
  readonly rule: string;
  /** The names of the columns. The first is the candidate. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/**
 * The turn that was taken. Credits are in assignments, rounded to 6 places, or to 4 for more than 30
 * candidates. `last` is the number of the last turn, 0 for never.
 */
export interface DistributionStep extends DistributionExplanation, OfPool {
  readonly step: 'distribution';
  /** Id of the distribution model. */
  readonly model: string;
  /** `users`, `teams`, or the name of the team whose members took turns. */
  readonly among: string;
  readonly chosen: string;
  /** The eligible candidates whose share is 0. */
  readonly without_share?: readonly string[];
}

/** The backup user, if no user was available, or no rule matched. */
export interface DefaultUserStep {
  readonly step: 'default_user';
  readonly user: string | null;
  readonly outcome: 'assigned' | 'disabled' | 'not_set' | 'not_a_user' | 'not_available';
  /** The failed checks of the backup user, with the outcome `not_available`. */
  readonly reasons?: readonly string[];
  /** The numbers that these checks compared, if they give them. */
  readonly saw?: string;
}

/** The user who was chosen has the record already, so that nothing changes. */
export interface AlreadyOwnerStep {
  readonly step: 'already_owner';
  readonly user: string;
  /** The reason that the assignment would have had. */
  readonly chosen_by: string;
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
  | DefaultUserStep
  | AlreadyOwnerStep;

/**
 * All steps of a decision in order, as JSON. Below 8 KB for 50 candidates with addresses of 40 characters and
 * 1,000 rules.
 */
export type Trace = readonly TraceStep[];
