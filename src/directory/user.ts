/** Days of the week as the configuration file spells them, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * A block of working hours in local time of the user's time zone, `HH:MM`, end exclusive. A block whose end
 * is not after its start runs past midnight and belongs to the day on which it starts.
 */
export interface WorkingHours {
  readonly days: readonly Weekday[];
  readonly start: string;
  readonly end: string;
}

/**
 * An absence: UTC instants, `from` inclusive, `to` exclusive; or dates alone `YYYY-MM-DD`, which are local
 * days of the user, `to` inclusive.
 */
export interface OutOfOffice {
  readonly from: string;
  readonly to: string;
}

/** The spans of limits, shortest first. */
export const LIMIT_SPANS = ['hour', 'day', 'week', 'month'] as const;
export type LimitSpan = (typeof LIMIT_SPANS)[number];

/** The most assignments in a span. Every limit that is set applies. */
export interface AssignmentLimits extends Readonly<Partial<Record<LimitSpan, number>>> {
  /**
   * `rolling` (default): the span before now. `calendar`: the current hour, day, week or month in the user's
   * time zone.
   */
  readonly window?: 'rolling' | 'calendar';
}

/** A user of the account as routing sees it: a possible owner of records. */
export interface User {
  readonly id: string;
  /** Lower case; unique in the account. */
  readonly email: string;
  /** The text by which rows name the user, where it is not the e-mail (`StoredNames`). */
  readonly storedAs?: string | null;
  readonly name: string | null;
  /** IANA zone name. */
  readonly timezone: string;
  /** The availability switch; false means unavailable. */
  readonly available: boolean;
  /** Null means always inside working hours; an empty list means never. */
  readonly workingHours: readonly WorkingHours[] | null;
  readonly outOfOffice: readonly OutOfOffice[];
  /** Local dates `YYYY-MM-DD` outside working hours: the user's own and the account's. */
  readonly holidays: readonly string[];
  readonly limits: AssignmentLimits | null;
}

/** A named group of users; members in the order the configuration lists them. */
export interface Team {
  readonly id: string;
  /** Unique in the account. */
  readonly name: string;
  /** Ids of the users. */
  readonly memberIds: readonly string[];
}
