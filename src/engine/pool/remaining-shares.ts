interface Share {
  readonly percentage?: number | undefined;
}

interface Pool<User, Team> {
  readonly users: readonly User[];
  readonly teams: readonly Team[];
}

/** Percentages are counted in units of 0.0001. */
const UNITS = 10_000;
const WHOLE = 100 * UNITS;

/** Returns a pool without users. Percentages of the others change as `remainingShares` says. */
export function poolWithout<User extends Share, Team extends Share>(
  { users, teams }: Pool<User, Team>,
  isGone: (user: User) => boolean,
): { users: User[]; teams: Team[] } {
  const left = users.filter((user) => !isGone(user));
  const shares = remainingShares<User | Team>([...users, ...teams], [...left, ...teams]);
  return { users: shares.slice(0, left.length) as User[], teams: shares.slice(left.length) as Team[] };
}

/**
 * Those who are left of a pool. Percentages that summed to 100 do so again, in proportion to what they were;
 * others stay, and so do those of which nothing but 0 is left. @param all the pool before
 */
export function remainingShares<T extends Share>(all: readonly T[], left: readonly T[]): readonly T[] {
  const units = left.map(unitsOf);
  const rest = sum(units);
  if (rest === 0 || rest === WHOLE || sum(all.map(unitsOf)) !== WHOLE) return left;
  const exact = units.map((each) => (each * WHOLE) / rest);
  const shares = exact.map(Math.floor);
  const largestFirst = [...exact.keys()].sort((a, b) => fraction(exact[b]) - fraction(exact[a]));
  for (const index of largestFirst.slice(0, WHOLE - sum(shares))) shares[index] = (shares[index] ?? 0) + 1;
  return left.map((share, index) => ({ ...share, percentage: (shares[index] ?? 0) / UNITS }));
}

function unitsOf({ percentage }: Share): number {
  return Math.round((percentage ?? 0) * UNITS);
}

function fraction(value = 0): number {
  return value - Math.floor(value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
