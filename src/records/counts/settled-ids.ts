import type { Observation } from './record-counts.repository.js';

/**
 * Milliseconds that an id may be older than the transaction that writes it: the statement reads the clock
 * before it takes the id of its transaction. A clock that is set back by less does no harm either. The
 * trigger writes a change for an id that is older by ten seconds.
 */
const DISTANCE = 30_000;

/**
 * Tells from observations of a database until when all records are created. A transaction gives its records
 * ids by the clock, and may commit them later than others that have greater ids.
 */
export class SettledIds {
  private observations: readonly Observation[] = [];

  constructor(private readonly distance = DISTANCE) {}

  /** @returns the instant before whose ids no new ones appear; undefined where that is not known yet */
  add(observation: Observation): Date | undefined {
    const { running } = observation;
    const last = this.observations.filter(({ id }) => id < running).at(-1);
    const open = this.observations.filter(({ id }) => id >= running);
    this.observations = [...(last === undefined ? [] : [last]), ...open, observation];
    return last && new Date(last.at.getTime() - this.distance);
  }
}
