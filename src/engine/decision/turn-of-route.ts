import { rotate, type RotationOutcome } from '../distribution/rotate.js';
import type { Route } from '../distribution/route.js';
import type { CandidateVerdict } from '../eligibility/weigh-candidate.js';
import type { DecisionInput } from '../model/decision.js';
import type { TraceStep } from '../model/trace.js';
import { weighPool } from './weigh-pool.js';

/** Whose turn it was, or why nobody's. */
export interface RouteTurn {
  /** Null where nobody is eligible. */
  readonly turn: RotationOutcome | null;
  /** Whether somebody is kept out by checks of the group `workload` alone. */
  readonly limited: boolean;
  readonly steps: readonly TraceStep[];
}

/** What a turn depends on besides pool and input. */
export interface TurnOptions {
  /** The setting of that name. */
  readonly ignoreWorkingHours: boolean;
  /** Runs the eligibility checks on the user with that e-mail. */
  readonly weigh: (email: string) => CandidateVerdict;
}

/**
 * Takes a turn among those eligible. Where there is nobody, `ignoreWorkingHours` is set and everyone who is available is
 * outside working hours, the same as if they were inside: those with room take a turn. Members who weigh nothing are
 * never chosen and so count for nothing here.
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
