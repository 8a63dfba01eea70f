import { Injectable } from '@nestjs/common';

/** For how long an account counts as active after its last work came. */
const ACTIVE_MS = 1_500;

/** Counts the accounts whose work came of late. */
@Injectable()
export class AccountActivity {
  /** When the last work of an account came, the oldest first. */
  private readonly last = new Map<string, number>();

  /** Notes that work of the account came. */
  note(accountId: string): void {
    this.last.delete(accountId);
    this.last.set(accountId, performance.now());
  }

  /** How many accounts are active. Those that are not any more are forgotten. */
  get accounts(): number {
    const since = performance.now() - ACTIVE_MS;
    for (const [accountId, at] of this.last) {
      if (at > since) break;
      this.last.delete(accountId);
    }
    return this.last.size;
  }
}
