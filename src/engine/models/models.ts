import { chooseByCredit, CREDIT_UNIT, creditToNumber, shareOut } from '../ledger/credit.js';
import { NEW_MEMBER } from '../ledger/ledger.js';
import { collectIssues, type FieldIssue, type RouterPool } from '../model/router-configuration.js';
import { shortText, type DistributionExplanation } from '../model/trace.js';
import type { Distribution, DistributionModel, Turn, TurnEntry } from './distribution-model.js';
import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import type { MemberState } from '../model/rotation.js';
import { workloadOf } from '../model/workload.js';

/** With more candidates than this the trace has fewer decimals. */
const MANY = 30;

/** How far the sum of percentages may be from 100: they have at most 4 decimals. */
const TOLERANCE = 1e-9;

/**
 * Gives the turn to the entry chosen by credit and updates the ledger. Each eligible member earns the share
 * of one assignment that its weight gives, the chosen one is charged one assignment, and the credits of all
 * others stay. So a credit is always exactly the fair share minus the assignments, and the credits sum to 0.
 *
 * @throws RangeError for a turn without entries
 */
export function distributeByCredit({ entries, ledger, seq }: Turn): Distribution {
  const shares = shareOut(entries.map((entry) => entry.weight));
  const contenders = entries.map((entry, index) => {
    const before = ledger.get(entry.key) ?? NEW_MEMBER;
    const share = shares[index] ?? 0n;
    return { entry, before, share, weight: entry.weight, credit: before.credit + share, last: before.last };
  });
  const { index: chosen, rule } = chooseByCredit(contenders);
  const winner = contenders[chosen];
  if (winner === undefined) throw new RangeError('A turn needs at least one entry');
  const after = new Map(ledger);
  const places = entries.length > MANY ? 4 : 6;
  const rows: DistributionExplanation['rows'][number][] = [];
  for (const contender of contenders) {
    const won = contender === winner;
    const credit = won ? contender.credit - CREDIT_UNIT : contender.credit;
    after.set(contender.entry.key, { credit, last: won ? seq : contender.last });
    const amounts = [contender.share, contender.before.credit, credit];
    const numbers = amounts.map((amount) => creditToNumber(amount, places));
    rows.push([contender.entry.label, ...numbers, contender.last]);
  }
  const columns = ['candidate', 'share', 'credit', 'credit_after', 'last'];
  return { entry: winner.entry, ledger: after, explanation: { rule, columns, rows } };
}

/** `round robin`: everyone has the same share. */
export const ROUND_ROBIN: DistributionModel = {
  id: 'round robin',
  reason: 'round_robin',
  validate: () => [],
  weigh: () => 1n,
  distribute: distributeByCredit,
};

/** `percentage`: shares in proportion to the configured percentages of those who are eligible. */
const PERCENTAGE: DistributionModel = {
  id: 'percentage',
  reason: 'percentage',
  validate: percentageIssues,
  weigh: (portion) => portion,
  distribute: distributeByCredit,
};

/** Every entry needs a percentage, and the percentages must sum to 100. An empty pool is valid. */
function percentageIssues({ users, teams }: RouterPool): readonly FieldIssue[] {
  const { issues, report } = collectIssues();
  const entries = [
    ...users.map(({ percentage }, index) => ({ path: `users[${index}].percentage`, percentage })),
    ...teams.map(({ percentage }, index) => ({ path: `teams[${index}].percentage`, percentage })),
  ];
  for (const { path, percentage } of entries) {
    if (percentage === undefined) report(path, 'percentage is required by the distribution model percentage');
  }
  const sum = entries.reduce((total, { percentage }) => total + (percentage ?? 0), 0);
  if (issues.length === 0 && entries.length > 0 && Math.abs(sum - 100) > TOLERANCE) {
    const list = users.length > 0 ? 'users' : 'teams';
    report(list, `percentages must sum to 100, not ${Number(sum.toFixed(4))}`);
  }
  return issues;
}

/** What users own of what they may own, as an exact fraction. */
interface Load {
  readonly owned: number;
  /** The denominator: the sum of the maxima, or the number of users if no capacity counts. */
  readonly of: number;
  /** Name of the capacity that counts; null for none. */
  readonly capacity: string | null;
}

interface Weighed {
  readonly entry: TurnEntry;
  readonly member: MemberState;
  readonly load: Load;
}

/**
 * `load balanced`: chooses the candidate with the lowest load.
 * - If every eligible candidate has a maximum in a capacity that the record counts towards: the lowest share
 *   of the maximum in use; of several capacities the fullest one counts.
 * - Otherwise: the fewest active records owned.
 *
 * The load of a team is what its eligible members own together of what they may own together, or the mean of
 * what they own. Ties go to the least recently assigned, then to the configured order. Credits do not change.
 */
export const LOAD_BALANCED: DistributionModel = {
  id: 'load balanced',
  reason: 'load_balanced',
  usesCredit: false,
  comparesOwned: true,
  validate: () => [],
  weigh: () => 1n,
  distribute,
};

function distribute({ entries, ledger, seq, input }: Turn): Distribution {
  const capped = entries.every(({ users }) => allHaveMaximum(users, input));
  const weighed = entries.map((entry): Weighed => {
    const member = ledger.get(entry.key) ?? NEW_MEMBER;
    const load = capped ? utilization(entry.users, input) : meanOwned(entry.users, input);
    return { entry, member, load };
  });
  const winner = weighed.reduce((best, each) => {
    const order = compareLoads(each.load, best.load) || each.member.last - best.member.last;
    return order < 0 ? each : best;
  });
  const after = new Map(ledger);
  after.set(winner.entry.key, { ...winner.member, last: seq });
  const rule = weighed.length === 1 ? 'only_one' : capped ? 'lowest_utilization' : 'fewest_owned';
  return { entry: winner.entry, ledger: after, explanation: { rule, ...explain(weighed, capped) } };
}

/** Leaves out columns that are the same for every candidate. */
function explain(
  weighed: readonly Weighed[],
  capped: boolean,
): Pick<DistributionExplanation, 'columns' | 'rows'> {
  const several = new Set(weighed.map(({ load }) => load.capacity)).size > 1;
  const shown = capped || weighed.some(({ load }) => load.of !== 1);
  const columns: Record<string, ((row: Weighed) => string | number) | false> = {
    candidate: ({ entry }) => entry.label,
    capacity: several && (({ load }) => shortText(load.capacity ?? '', 20)),
    owned: ({ load }) => load.owned,
    [capped ? 'max' : 'members']: shown && (({ load }) => load.of),
    last: ({ member }) => member.last,
  };
  const wanted = Object.entries(columns).flatMap(([name, of]) => (of === false ? [] : [{ name, of }]));
  return {
    columns: wanted.map(({ name }) => name),
    rows: weighed.map((row) => wanted.map(({ of }) => of(row))),
  };
}

function allHaveMaximum(users: readonly User[], input: DecisionInput): boolean {
  const capacities = input.capacities ?? [];
  return users.every(({ email }) => capacities.some(({ maxByEmail }) => maxByEmail.has(email)));
}

/** What users own together of what they may own in the fullest capacity, over those who have a maximum. */
function utilization(users: readonly User[], input: DecisionInput): Load {
  let fullest: Load | undefined;
  for (const { name, maxByEmail } of input.capacities ?? []) {
    const capped = users.filter(({ email }) => maxByEmail.has(email));
    if (capped.length === 0) continue;
    const load = {
      owned: sum(capped, ({ email }) => workloadOf(input.workloads, email).capacities.get(name) ?? 0),
      of: sum(capped, ({ email }) => maxByEmail.get(email) ?? 0),
      capacity: name,
    };
    if (fullest === undefined || compareLoads(load, fullest) > 0) fullest = load;
  }
  return fullest ?? { owned: 0, of: users.length, capacity: null };
}

function meanOwned(users: readonly User[], input: DecisionInput): Load {
  const owned = sum(users, ({ email }) => workloadOf(input.workloads, email).owned);
  return { owned, of: users.length, capacity: null };
}

/** Orders two loads exactly: negative, zero or positive. A maximum of 0 is full, whatever is owned. */
function compareLoads(a: Load, b: Load): number {
  if (a.of <= 0 || b.of <= 0) return Number(a.of <= 0) - Number(b.of <= 0);
  const left = BigInt(a.owned) * BigInt(b.of);
  const right = BigInt(b.owned) * BigInt(a.of);
  return left < right ? -1 : Number(left > right);
}

function sum(users: readonly User[], count: (user: User) => number): number {
  return users.reduce((total, user) => total + count(user), 0);
}

/** The distribution models of contract section 4. */
export const BUILTIN_MODELS: readonly DistributionModel[] = [ROUND_ROBIN, PERCENTAGE, LOAD_BALANCED];
