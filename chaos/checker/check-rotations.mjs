// Compares the rotation of each router with its log, and each prefix of the log with the bound of fairness.
import { ROUTERS, emailOf } from '../service/account.mjs';

/** One assignment in the unit of credits: the least common multiple of 1 to 100 and of 1,000,000. */
const UNIT = (() => {
  const divisor = (a, b) => (b === 0n ? a : divisor(b, a % b));
  let multiple = 1_000_000n;
  for (let n = 2n; n <= 100n; n += 1n) multiple = (multiple / divisor(multiple, n)) * n;
  return multiple;
})();

/** @param report called with { check, text, record? } for each violation */
export function checkRotations(history, state, report) {
  for (const [key, router] of Object.entries(ROUTERS)) {
    const id = state.routers.get(router.name);
    const log = state.log.filter(({ router_id: of }) => of === id);
    const turns = log.filter(({ reason }) => reason === router.reason).map(({ user }) => user);
    const say = (check, text) => report({ check, text: `router ${router.name}: ${text}` });
    const weights = Object.entries(router.weights).map(([name, weight]) => [emailOf(name), weight]);
    checkCredits({ turns, weights, users: state.users }, state.rotations.get(id), say);
    checkPrefixes(turns, weights, say);
    checkTimes(log, say);
    checkRealTime(history, key, say);
  }
}

const totalOf = (weights) => weights.reduce((sum, [, weight]) => sum + weight, 0);

function checkCredits({ turns, weights, users }, rotation, say) {
  const { seq = 0, rotations: ledgers = {} } = rotation ?? {};
  if (seq !== turns.length) say('rotation', `its rotation counts ${seq} turns, and its log ${turns.length}`);
  if (turns.length === 0) return;
  for (const [email, weight] of weights) {
    const share = (UNIT * BigInt(weight)) / BigInt(totalOf(weights));
    const count = BigInt(turns.filter((user) => user === email).length);
    const expected = BigInt(turns.length) * share - count * UNIT;
    const [stored] = ledgers.users?.[users.get(email)] ?? ['none'];
    if (stored !== expected.toString(16))
      say('credit', `the credit of ${email} is ${stored}, not ${expected.toString(16)}`);
  }
}

/** Tijdeman's bound: no prefix deviates from the shares by more than 1 - 1/(2m - 2). */
function checkPrefixes(turns, weights, say) {
  const total = totalOf(weights);
  const scale = 2 * weights.length - 2;
  for (const [email, weight] of weights) {
    let count = 0;
    for (const [index, user] of turns.entries()) {
      if (user === email) count += 1;
      // |share * n - count| <= 1 - 1/scale, in whole numbers.
      const deviation = Math.abs(weight * (index + 1) - count * total) * scale;
      if (deviation <= total * (scale - 1)) continue;
      say('bound', `after ${index + 1} turns ${email} had ${count}: off by ${deviation / total / scale}`);
      return;
    }
  }
}

/** The ids of entries sort by time. */
function checkTimes(log, say) {
  for (const [index, { id, created_at: at }] of log.entries())
    if (index > 0 && at < log[index - 1].created_at)
      say('order', `entry ${id} is older than the one before it`);
}

/** What was answered before another dispatch was sent is before it in the log. */
function checkRealTime({ records }, router, say) {
  const answered = records
    .flatMap(({ events }) => events)
    .filter((each) => each.router === router && each.outcome === 'acknowledged')
    .map(({ start, end, body }) => ({ start, end, id: body.assignment_id }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  let latest = { start: -Infinity };
  for (const each of answered) {
    if (each.end < latest.start)
      say(
        'real-time',
        `entry ${each.id} was answered before ${latest.id} was asked for, and its id is the greater`,
      );
    if (each.start > latest.start) latest = each;
  }
}
