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
 * Milliseconds by which the clock of the database may be set back without harm. Where it is set back further,
 * entries can get ids before those that are in blocks, and are not counted until `fairlead check` has run.
 */
const DISTANCE = 5_000;

/**
 * Tells from observations of a database until when all entries of the log are there. A dispatch takes the id
 * of its transaction first, gives its entries ids by the clock then, and may commit them later than others
 * that have greater ids.
 */
export class SettledIds {
  private observed: Observation | undefined;
  private settled: Date | undefined;

  constructor(private readonly distance = DISTANCE) {}

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
