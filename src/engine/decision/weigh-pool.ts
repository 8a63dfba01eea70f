import type { CandidateVerdict } from '../eligibility/weigh-candidate.js';
import type { CompiledPool, PoolSeat } from '../pool/compiled-pool.js';
import type { EligibilityStep } from '../model/trace.js';

/** Checks everyone in a pool. One step for the users; with turns by team, one step for each team. */
export function weighPool(pool: CompiledPool, weigh: (email: string) => CandidateVerdict): EligibilityStep[] {
  if (pool.rotationType === 'users') {
    return [weighSeats(pool.seats, weigh)];
  }
  const singles =
    pool.singles.length > 0 || pool.groups.length === 0 ? [weighSeats(pool.singles, weigh)] : [];
  return [...singles, ...pool.groups.map((group) => weighSeats(group.seats, weigh, group.name))];
}

function weighSeats(
  seats: readonly PoolSeat[],
  weigh: (email: string) => CandidateVerdict,
  team?: string,
): EligibilityStep {
  const eligible: string[] = [];
  const out = new Map<string, { reasons: readonly string[]; users: string[]; saw: string[] }>();
  for (const { email, reasons, saw } of seats.map((seat) => weigh(seat.email))) {
    const group = out.get(reasons.join());
    if (reasons.length === 0) eligible.push(email);
    else if (group === undefined) out.set(reasons.join(), { reasons, users: [email], saw: [saw] });
    else {
      group.users.push(email);
      group.saw.push(saw);
    }
  }
  return {
    step: 'eligibility',
    ...(team === undefined ? {} : { team }),
    in: eligible,
    out: [...out.values()].map(({ saw, ...group }) =>
      saw.every((each) => each === '') ? group : { ...group, saw },
    ),
  };
}
