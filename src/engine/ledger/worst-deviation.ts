import type { RotationState } from '../model/rotation.js';
import { creditToNumber } from './credit.js';

/**
 * Returns how far the member who is furthest from the fair share is from it, in assignments: owed, or had in
 * advance. 0 for a rotation that owes nobody anything.
 */
export function worstDeviation({ ledgers }: RotationState): number {
  let worst = 0n;
  for (const ledger of ledgers.values()) {
    for (const { credit } of ledger.values()) {
      const size = credit < 0n ? -credit : credit;
      if (size > worst) worst = size;
    }
  }
  return creditToNumber(worst);
}
