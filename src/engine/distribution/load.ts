import type { User } from '../../directory/user.js';
import type { DecisionInput } from '../model/decision.js';
import { workloadOf } from '../model/workload.js';

/** What users own of what they may own, as an exact fraction. */
export interface Load {
  /** Records owned. */
  readonly owned: number;
  /** The denominator: the sum of the maxima, or the number of users if no capacity counts. */
  readonly of: number;
  /** Name of the capacity that counts; null for none. */
  readonly capacity: string | null;
}

/** Whether each of the users has a maximum in one of the capacities. */
export function allHaveMaximum(users: readonly User[], input: DecisionInput): boolean {
  const capacities = input.capacities ?? [];
  return users.every(({ email }) => capacities.some(({ maxByEmail }) => maxByEmail.has(email)));
}

/**
 * What users own together of what they may own in the fullest of the capacities that the record counts
 * towards. Each capacity is computed over the users who have a maximum in it.
 */
export function utilization(users: readonly User[], input: DecisionInput): Load {
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

/** The mean number of records that users own. */
export function meanOwned(users: readonly User[], input: DecisionInput): Load {
  const owned = sum(users, ({ email }) => workloadOf(input.workloads, email).owned);
  return { owned, of: users.length, capacity: null };
}

/** Orders two loads exactly: negative, zero or positive. A maximum of 0 is full, whatever is owned. */
export function compareLoads(a: Load, b: Load): number {
  if (a.of <= 0 || b.of <= 0) return Number(a.of <= 0) - Number(b.of <= 0);
  const left = BigInt(a.owned) * BigInt(b.of);
  const right = BigInt(b.owned) * BigInt(a.of);
  return left < right ? -1 : Number(left > right);
}

function sum(users: readonly User[], count: (user: User) => number): number {
  return users.reduce((total, user) => total + count(user), 0);
}
