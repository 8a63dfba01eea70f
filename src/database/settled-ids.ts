/** What the transactions of a database were at an instant. */
export interface Observation {
  /** By the clock of the database. */
  readonly at: Date;
  /** A new id. Transactions that take theirs later read the clock later. */
  readonly id: bigint;
  /** The oldest id whose transaction has not ended. */
  readonly running: bigint;
}

/**
 * Tells from observations of a database until when all rows of a kind are there whose ids begin with the
 * time. A transaction gives its rows ids by the clock, and may commit them later than others that have
 * greater ids.
 */
export class SettledIds {
  private observed: Observation | undefined;
  private settled: Date | undefined;

  /**
   * @param distance milliseconds by which an id may be older than that of its transaction; the clock of the
   *   database may be set back by as much without harm
   */
  constructor(private readonly distance: number) {}

  /** @returns the instant before whose ids no new ones appear; undefined where that is not known yet */
  add(observation: Observation): Date | undefined {
    const { observed } = this;
    if (observed !== undefined && observed.id < observation.running) {
      this.settled = new Date(observed.at.getTime() - this.distance);
      this.observed = undefined;
    }
    // A lower id is that of another server, which has taken the place of the first.
    if (this.observed === undefined || observation.id < this.observed.id) this.observed = observation;
    return this.settled;
  }
}
