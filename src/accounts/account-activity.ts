import { Injectable } from '@nestjs/common';

/** Milliseconds for which an account counts as active after its last work came: one to two of these. */
const ACTIVE = 1_000;

/** Counts the accounts whose work came of late. */
@Injectable()
export class AccountActivity {
  private started = performance.now();
  private present = new Set<string>();
  private before = new Set<string>();

  /** Notes that work of the account came. */
  note(accountId: string): void {
    this.turn();
    this.present.add(accountId);
  }

  /** How many accounts are active. */
  get accounts(): number {
    this.turn();
    return Math.max(this.present.size, this.before.size);
  }

  private turn(): void {
    const now = performance.now();
    if (now - this.started < ACTIVE) return;
    this.before = now - this.started < 2 * ACTIVE ? this.present : new Set();
    this.present = new Set();
    this.started = now;
  }
}
