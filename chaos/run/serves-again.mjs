// How long services need after a fault until they answer again without failures (promise P4).
import { stalledWithin } from './stalls.mjs';
import { until } from './wait.mjs';

/** Requests that each process must acknowledge in a row. */
const IN_A_ROW = 5;

/** Milliseconds without a failure after which the fault counts as over. */
const CALM = 500;

/** Milliseconds in which the database itself must accept connections. */
const DATABASE_MS = 120_000;

/** Milliseconds beyond the bound for which failures are watched, and most of those that may be stalls. */
const BEYOND = 2_000;
const MOST_STALLS = 60_000;

/** Milliseconds after which every client has given a request up. */
const GIVEN_UP = 25_000;

/**
 * Waits until every process of the site answers all its clients again, and notes the time since the database
 * accepts connections. Its recovery is not counted, and no time in which the machine let the process or this
 * program stand still.
 *
 * @param options.since the instant of the fault; `accepted` the instant at which the database could serve, where
 *   that is known
 */
export async function expectServesAgain({ site, findings }, { since, accepted, what }) {
  const accepts = accepted ?? (await acceptedAt(site));
  if (accepts === undefined) {
    findings.fail(`${what}: the database accepts no connections ${DATABASE_MS / 1_000} s after the fault`);
    return;
  }
  const bound = site.servesWithin;
  const states = () => site.services.map((_, target) => stateOf(site, target, Math.max(since, accepts)));
  const timeTo = (target, to) => to - accepts - stalledWithin(accepts, to, [site.services[target].pid]);
  const isOver = (target) => timeTo(target, performance.now()) > bound + BEYOND;
  await until(() => states().every((state, target) => isCalm(state) || isOver(target)), {
    within: bound + BEYOND + MOST_STALLS,
  });
  for (const [target, { failure, count }] of states().entries()) {
    let time = failure === undefined ? 0 : Math.max(0, timeTo(target, failure.end));
    if (count < IN_A_ROW) time = bound + BEYOND;
    findings.time(time, { bound, what: `${what}: process ${target} serves again`, request: failure });
  }
}

async function acceptedAt(site) {
  const accepts = await until(() => site.databaseAccepts(), { within: DATABASE_MS });
  return accepts && performance.now();
}

/** The last failure since an instant, and the number of acknowledged requests behind it. */
function stateOf({ recorder }, target, since) {
  let [failure, count] = [undefined, 0];
  for (let n = recorder.requests.length - 1; n >= 0; n--) {
    const request = recorder.requests[n];
    if (request.start < since - GIVEN_UP) break;
    if (request.target !== target || request.end === undefined || request.end < since) continue;
    if (request.outcome !== 'acknowledged') {
      if (failure === undefined || request.end > failure.end) failure = request;
    } else if (request.start >= since) count += 1;
  }
  return { failure, count, since };
}

function isCalm({ failure, count, since }) {
  return count >= IN_A_ROW && performance.now() - (failure?.end ?? since) > CALM;
}
