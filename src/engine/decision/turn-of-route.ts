import { rotate, type RotationOutcome } from '../distribution/rotate.js';
import type { Route } from '../distribution/route.js';
import type { CandidateVerdict } from '../eligibility/weigh-candidate.js';
import type { DecisionInput } from '../model/decision.js';
import type { TraceStep } from '../model/trace.js';
import { weighPool } from './weigh-pool.js';

/** The turn that was taken, or why there is none. */
export interface RouteTurn {
  /** Null if no user is eligible. */
  readonly turn: RotationOutcome | null;
  /** Whether checks of the group `workload` alone exclude at least one user. */
  readonly limited: boolean;
  readonly steps: readonly TraceStep[];
}

/** Parts of a turn besides the pool and the input. */
export interface TurnOptions {
  /** The setting `ignore_working_hours`. */
  readonly ignoreWorkingHours: boolean;
  /** Runs the eligibility checks on the user with that e-mail. */
  readonly weigh: (email: string) => CandidateVerdict;
}

/**
 * Takes a turn among the eligible users of a pool. If there are none, `ignoreWorkingHours` is set and every
 * available user is outside working hours, then users whom only working hours exclude count as eligible and
 * take the turn.
 *
 * Members of weight 0 are never chosen, so they do not affect these conditions.
 */
export function turnOfRoute(
  route: Route,
  input: DecisionInput,
  { ignoreWorkingHours, weigh }: TurnOptions,
): RouteTurn {
  const steps: TraceStep[] = [...weighPool(route.pool, weigh)];
  const contenders = route.contenders.map(weigh);
  const isIn = ({ groups }: CandidateVerdict, waived: boolean) =>
    [...groups].every((group) => waived && group === 'working_hours');
  const take = (waived: boolean) =>
    rotate(
      route,
      (email) => {
        const verdict = weigh(email);
        return isIn(verdict, waived) ? verdict.user : undefined;
      },
      input,
    );

  let turn = take(false);
  const available = contenders.filter(({ groups }) => !groups.has('availability'));
  const waived =
    turn === null && ignoreWorkingHours && available.every(({ groups }) => groups.has('working_hours'));
  if (waived) {
    const assumed = contenders.filter((verdict) => isIn(verdict, true));
    steps.push({ step: 'ignore_working_hours', candidates: assumed.length });
    turn = take(true);
  }
  const limited =
    turn === null &&
    contenders.some(
      ({ groups }) =>
        groups.has('workload') &&
        [...groups].every((group) => group === 'workload' || (waived && group === 'working_hours')),
    );
  return { turn, limited, steps: [...steps, ...(turn?.steps ?? [])] };
}
