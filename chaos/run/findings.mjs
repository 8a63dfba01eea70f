// What a scenario has found.
import { until } from './wait.mjs';

/** Milliseconds in which the database must accept connections for the check. */
const DATABASE_MS = 5_000;

/** Failures of a scenario that are printed, events of a record, and characters of an answer. */
const MOST_FAILURES = 3;
const MOST_EVENTS = 8;
const MOST_CHARACTERS = 200;

export class Findings {
  trials = 0;
  acknowledged = 0;
  unknown = 0;
  /** Milliseconds; undefined where the scenario measures no time. */
  worst;
  failures = [];
  /** Why it was not run. */
  notRun;

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
    this.acknowledged += site.recorder.count('acknowledged');
    this.unknown += site.recorder.count('unknown');
    if (!(await until(() => site.databaseAccepts(), { within: DATABASE_MS }))) {
      this.fail('Nothing could be checked: the database accepts no connections');
      return;
    }
    const violations = await site.check();
    for (const { check, text, record } of violations) this.fail(`[${check}] ${text}`, { record });
  }

  /** A database that cannot serve is no internal error (promise P8): no answer is 5xx but 503, also in batches. */
  failOnInternalErrors({ requests }) {
    for (const request of requests) {
      const statuses = request.answers.flatMap(({ status, body }) => [
        status,
        ...(body?.results ?? []).map((result) => result.status),
      ]);
      const found = statuses.find((status) => status >= 500 && status !== 503);
      if (found !== undefined) this.fail(`A ${request.kind} was answered ${found}`, { request });
    }
  }

  get result() {
    if (this.failures.length > 0) return `FAILED: ${this.failures.length}`;
    return this.notRun === undefined ? 'passed' : `not run: ${this.notRun}`;
  }

  /** @returns lines: the failures with their histories */
  report(name) {
    const printed = this.failures
      .slice(0, MOST_FAILURES)
      .flatMap((failure) => [`${name} FAILED: ${failure.text}`, ...historyOf(failure)]);
    const more = this.failures.length - MOST_FAILURES;
    return more > 0 ? [...printed, `${name}: ${more} more failures`] : printed;
  }
}

function historyOf({ record, request }) {
  if (record !== undefined)
    return [record.created, ...record.events.slice(-MOST_EVENTS)].map((each) =>
      line(each, record.created.start),
    );
  return request === undefined ? [] : [line(request, request.start)];
}

function line({ kind, client, token, router, start, end, outcome, answers, body }, from) {
  const time = (instant) => (instant === undefined ? '…' : `${((instant - from) / 1_000).toFixed(3)} s`);
  const what = [kind, token, router].filter((each) => each !== undefined).join(' ');
  const who = client === undefined ? '' : `client ${client}, `;
  const last = answers?.at(-1);
  const answer = JSON.stringify(body ?? last?.body ?? last?.error ?? '').slice(0, MOST_CHARACTERS);
  const attempts = (answers ?? []).map(({ status, error }) => status ?? error).join(', ');
  return `    ${who}${time(start)} to ${time(end)}: ${what}: ${outcome ?? 'no answer'} (${attempts}) ${answer}`;
}
