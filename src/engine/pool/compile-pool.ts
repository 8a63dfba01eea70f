import type { PoolMember, PoolTeam, RotationType, RouterPool } from '../model/router-configuration.js';
import type { CompiledPool, PoolGroup, PoolSeat, UserPool } from './compiled-pool.js';

/**
 * Arranges a pool for its rotation type. A user who is listed twice counts once, by the first mention, direct
 * users before teams. Only with turns by team can a user be in several teams.
 *
 * With turns by user, the percentage of a team is divided equally among the members who are in the pool
 * through it.
 */
export function compilePool(pool: RouterPool, rotationType: RotationType): CompiledPool {
  const direct = unique(pool.users, (user) => fold(user.email));
  const teams = unique(pool.teams, (team) => fold(team.name));
  const singles = direct.map((user) => seatOf(user, portionOf(user.percentage)));
  if (rotationType === 'users') {
    return compileUserPool(singles, teams);
  }
  return {
    rotationType,
    singles,
    groups: teams.map((team): PoolGroup => ({
      key: `team:${team.id ?? fold(team.name)}`,
      name: team.name,
      portion: portionOf(team.percentage),
      seats: unique(membersOf(team), (member) => member.email).map((member) => seatOf(member, 1n)),
    })),
  };
}

function compileUserPool(singles: readonly PoolSeat[], teams: readonly PoolTeam[]): UserPool {
  const seen = new Set(singles.map((seat) => seat.email));
  const newcomers = teams.map((team) => {
    const members = unique(membersOf(team), (member) => member.email).filter(
      (member) => !seen.has(member.email),
    );
    for (const member of members) seen.add(member.email);
    return { members, portion: portionOf(team.percentage) };
  });
  // All portions are multiplied by one factor, so that the portion of each team divides into whole parts.
  const factor = newcomers.reduce(
    (product, { members }) => product * BigInt(Math.max(members.length, 1)),
    1n,
  );
  return {
    rotationType: 'users',
    seats: [
      ...singles.map((seat) => ({ ...seat, portion: seat.portion * factor })),
      ...newcomers.flatMap(({ members, portion }) =>
        members.map((member) => seatOf(member, (portion * factor) / BigInt(members.length))),
      ),
    ],
  };
}

function membersOf(team: PoolTeam): PoolMember[] {
  return team.members.map((member) => {
    if (typeof member === 'string') return { email: fold(member) };
    const email = fold(member.email);
    return email === member.email ? member : { ...member, email };
  });
}

/** A thousand rules may name one team. Its members have the same seat in each, where the portions agree. */
const seats = new WeakMap<PoolMember, PoolSeat>();

function seatOf(member: PoolMember, portion: bigint): PoolSeat {
  const known = seats.get(member);
  if (known?.portion === portion) return known;
  const seat = { id: member.id ?? null, email: fold(member.email), portion };
  seats.set(member, seat);
  return seat;
}

/** A percentage in units of 0.0001. A missing or invalid one counts as 0; `validateRouter` refuses it. */
function portionOf(percentage: number | undefined): bigint {
  const units = Math.round((percentage ?? 0) * 10_000);
  return Number.isSafeInteger(units) && units > 0 ? BigInt(units) : 0n;
}

function unique<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const again = seen.has(key(item));
    seen.add(key(item));
    return !again;
  });
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
