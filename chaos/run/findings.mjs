// What a scenario has found.
import { until } from './wait.mjs';

/** Milliseconds in which the database must accept connections for the check. */
const DATABASE_MS = 5_000;

export class Findings {
  trials = 0;
  acknowledged = 0;
  unknown = 0;
  /** Milliseconds; undefined where the scenario measures no time. */
  worst;
  failures = [];
  /** Why it was not run. */
  notRun;

  trial() {
    this.trials += 1;
  }

  /** @param record, request whose history is printed */
  fail(text, { record, request } = {}) {
    this.failures.push({ text, record, request });
  }

  /** Notes a time, and a failure when it is above its bound. Both in milliseconds. */
  time(milliseconds, { bound, what, request }) {
    this.worst = Math.max(this.worst ?? 0, milliseconds);
    if (milliseconds > bound)
      this.fail(`${what}: ${(milliseconds / 1_000).toFixed(1)} s, more than ${bound / 1_000} s`, { request });
  }

  /** Counts the outcomes of a site's requests, and takes over the violations that its check has found. */
  async checked(site) {
    await site.stopClients();
    this.#count(site.recorder);
    if (!(await until(() => site.databaseAccepts(), { within: DATABASE_MS }))) {
      this.fail('Nothing could be checked: the database accepts no connections');
      return;
    }
    const violations = await site.check();
    for (const { check, text, record } of violations) this.fail(`[${check}] ${text}`, { record });
  }

  #count(recorder) {
    this.acknowledged += recorder.count('acknowledged');
    this.unknown += recorder.count('unknown');
  }
}
