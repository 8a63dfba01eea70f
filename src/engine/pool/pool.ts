import { nameKey } from '../../text/canonical-text.js';
import { normalizeEmail } from '../../text/email-key.js';
import type {
  ListedPool,
  ListedTeam,
  PoolMember,
  RotationType,
  RouterPart,
  RoutingRule,
  RoutingStep,
} from '../model/router-configuration.js';

/** A user who may take turns in a pool. */
export interface Candidate {
  readonly id: string | null;
  readonly email: string;
  /** The configured percentage in a unit common to the pool. */
  readonly portion: bigint;
}

/** Candidates who are listed directly, or the members of a team that takes turns as one. */
export interface PoolGroup {
  /** `team:<id>`, or `team:<name>` if the configuration gives no id; null for those listed directly. */
  readonly key: string | null;
  readonly name: string;
  /** Of a team: its percentage, as that of a candidate. All its members have the same. */
  readonly portion: bigint;
  readonly candidates: readonly Candidate[];
}

/** The users of a pool, arranged for the rotation type. */
export interface CompiledPool {
  readonly rotationType: RotationType;
  /** First those listed directly, with turns by user everyone; then, with turns by team, the teams. */
  readonly groups: readonly PoolGroup[];
  /** Of everyone, each once. */
  readonly emails: readonly string[];
  /** The number of candidates; who is in several teams that take turns counts in each. */
  readonly members: number;
}

/**
 * Arranges a pool for its rotation type. A user who is listed twice counts once, by the first mention, direct
 * users before teams. Only with turns by team can a user be in several teams.
 *
 * With turns by user, the percentage of a team is divided equally among the members who are in the pool
 * through it.
 */
export function compilePool(pool: ListedPool, rotationType: RotationType): CompiledPool {
  const users = unique(
    pool.users.map((user) => ({ ...personOf(user), portion: portionOf(user.percentage) })),
    keyOf,
  );
  const teams = unique(pool.teams, ({ name }) => nameKey(name));
  const groups =
    rotationType === 'users' ? [direct(withMembers(users, teams))] : [direct(users), ...teams.map(group)];
  const everyone = groups.flatMap(({ candidates }) => candidates);
  const emails = [...new Set(everyone.map(({ email }) => email))];
  return { rotationType, groups, emails, members: everyone.length };
}

function direct(candidates: readonly Candidate[]): PoolGroup {
  return { key: null, name: '', portion: 1n, candidates };
}

function group(team: ListedTeam): PoolGroup {
  return {
    key: `team:${team.id ?? nameKey(team.name)}`,
    name: team.name,
    portion: portionOf(team.percentage),
    candidates: membersOf(team).map((member) => ({ ...member, portion: 1n })),
  };
}

/** Returns the users, and behind them the members of the teams who are not among them. */
function withMembers(users: readonly Candidate[], teams: readonly ListedTeam[]): Candidate[] {
  const seen = new Set(users.map(({ email }) => email));
  const newcomers = teams.map((team) => {
    const members = membersOf(team).filter(({ email }) => !seen.has(email));
    for (const { email } of members) seen.add(email);
    return { members, portion: portionOf(team.percentage) };
  });
  // All portions are multiplied by one factor, so that the portion of each team divides into whole parts.
  const factor = newcomers.reduce((multiple, { members }) => leastMultiple(multiple, members.length), 1n);
  return [
    ...users.map((candidate) => ({ ...candidate, portion: candidate.portion * factor })),
    ...newcomers.flatMap(({ members, portion }) =>
      members.map((member) => ({ ...member, portion: (portion * factor) / BigInt(members.length) })),
    ),
  ];
}

/** The least common multiple of a number and of a count, which 0 leaves as it is. */
function leastMultiple(number: bigint, count: number): bigint {
  if (count === 0) return number;
  let [a, b] = [number, BigInt(count)];
  while (b > 0n) [a, b] = [b, a % b];
  return (number / a) * BigInt(count);
}

/** The members of a team, each once. One that is not resolved has none. */
function membersOf({ members = [] }: ListedTeam): Omit<Candidate, 'portion'>[] {
  return unique(
    members.map((member) => personOf(typeof member === 'string' ? { email: member } : member)),
    keyOf,
  );
}

const keyOf = ({ email }: Pick<Candidate, 'email'>): string => email;

function personOf({ id, email }: PoolMember): Omit<Candidate, 'portion'> {
  return { id: id ?? null, email: normalizeEmail(email) };
}

/** A percentage in units of 0.0001. A missing or invalid one counts as 0; `validateRouter` refuses it. */
function portionOf(percentage: number | undefined): bigint {
  const units = Math.round((percentage ?? 0) * 10_000);
  return Number.isSafeInteger(units) && units > 0 ? BigInt(units) : 0n;
}

/** Returns of the items that have the same key the first. */
function unique<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  const first = new Map<string, Item>();
  for (const item of items) if (!first.has(key(item))) first.set(key(item), item);
  return [...first.values()];
}

/** Whether a pool is empty. */
export function isEmptyPool({ users, teams }: ListedPool): boolean {
  return users.length === 0 && teams.length === 0;
}

/** Whether a rule takes the pool of its router, or a step that of what it belongs to. */
export function takesPool(part: RouterPart): boolean {
  return isEmptyPool(part) && part.listsNobody !== true;
}

/** Whether there is a pool in steps: what has no pool of its own begins with them. */
export function listAnybody(steps: readonly RouterPart[]): boolean {
  return !steps.every(takesPool);
}

/**
 * The pool and the steps of a rule, with what it leaves out from its router. One that lists nobody and has
 * steps that do begins with these: its pool is null.
 */
export function poolOfRule(
  rule: RoutingRule,
  router: ListedPool,
  routerSteps: readonly RoutingStep[],
): { readonly pool: ListedPool | null; readonly steps: readonly RoutingStep[] } {
  const steps = rule.steps ?? routerSteps;
  if (!takesPool(rule)) return { pool: rule, steps };
  const beginsWithSteps = listAnybody(steps) && (rule.steps != null || isEmptyPool(router));
  return { pool: beginsWithSteps ? null : router, steps };
}

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
