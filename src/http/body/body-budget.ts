import { unavailable } from '../../errors/errors.js';

/** Bytes of the bodies of requests that are not answered: of one holder, and of all together. */
export interface BudgetLimits {
  readonly perHolder: number;
  readonly total: number;
}

/**
 * Bounds the memory of bodies that wait. A body is counted from before it is received until its request is
 * answered.
 */
export class BodyBudget {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: BudgetLimits) {}

  /**
   * Reserves memory for a body.
   * @param holder the account of the request, or another name for those without one
   * @returns gives the memory back; a second call has no effect
   * @throws DomainError 503 when too much is held already
   */
  reserve(holder: string, bytes: number): () => void {
    const held = this.held.get(holder) ?? 0;
    if (held + bytes > this.limits.perHolder || this.total + bytes > this.limits.total) {
      throw unavailable('Too many large requests are in progress, try again shortly');
    }
    this.held.set(holder, held + bytes);
    this.total += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.total -= bytes;
      const left = (this.held.get(holder) ?? 0) - bytes;
      if (left > 0) this.held.set(holder, left);
      else this.held.delete(holder);
    };
  }
}
