import { unavailable } from '../errors/errors.js';
import type { AccountContext } from './account-context.js';

/** How many units of work may be in progress, and may wait. */
export interface ShareLimits {
  /** Work of all accounts together. */
  readonly total: number;
  /** Work of one account. */
  readonly perAccount: number;
  /** Waiting work of one account; more is refused. */
  readonly waiting: number;
  /** Milliseconds that work waits; then it is refused. */
  readonly patience: number;
}

/** Ends a unit of work. A second call has no effect. */
export type Leave = () => void;

interface Waiter {
  readonly admit: () => void;
}

/** The work of one account. It exists while the account has any. */
interface Share {
  running: number;
  readonly waiting: Set<Waiter>;
}

/**
 * Divides what accounts share, such as the connections of the pool. An account has at most `perAccount` units
 * of work in progress, so that others find a free place at once. When all places are taken, the next one that
 * becomes free goes to the waiting account with the least work in progress. The work of one account starts
 * in the order in which it came.
 */
export class AccountShares {
  private readonly shares = new Map<string, Share>();
  private running = 0;

  constructor(private readonly limits: ShareLimits) {}

  /**
   * Starts a unit of work at once where that is possible.
   * @returns undefined where the work has to wait; see `enter`
   */
  enterNow({ accountId }: AccountContext): Leave | undefined {
    const share = this.shares.get(accountId);
    const isFree = this.running < this.limits.total && (share?.waiting.size ?? 0) === 0;
    if (!isFree || (share?.running ?? 0) >= this.limits.perAccount) return undefined;
    return this.start(accountId);
  }

  /**
   * Starts a unit of work as soon as it is its turn.
   * @param signal ends the waiting
   * @throws DomainError 503 when too much work of the account waits, or this one has waited too long; the
   *   reason of the signal
   */
  enter(account: AccountContext, signal?: AbortSignal): Promise<Leave> {
    const leave = this.enterNow(account);
    return leave === undefined ? this.wait(account, signal) : Promise.resolve(leave);
  }

  private wait({ accountId }: AccountContext, signal?: AbortSignal): Promise<Leave> {
    const share = this.shareOf(accountId);
    if (share.waiting.size >= this.limits.waiting) return Promise.reject(tooMuch());
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        share.waiting.delete(waiter);
      };
      const refuse = (error: Error): void => {
        stop();
        this.forgetIdle(accountId);
        reject(error);
      };
      const abort = (): void => refuse(new Error('The client is gone'));
      const timer = setTimeout(() => refuse(tooMuch()), this.limits.patience);
      const waiter = {
        admit: () => {
          stop();
          resolve(this.start(accountId));
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      share.waiting.add(waiter);
    });
  }

  private start(accountId: string): Leave {
    const share = this.shareOf(accountId);
    share.running++;
    this.running++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      share.running--;
      this.running--;
      this.forgetIdle(accountId);
      this.admitNext();
    };
  }

  private admitNext(): void {
    if (this.running >= this.limits.total) return;
    let next: Share | undefined;
    for (const share of this.shares.values()) {
      if (share.waiting.size === 0 || share.running >= this.limits.perAccount) continue;
      if (next === undefined || share.running < next.running) next = share;
    }
    const [waiter] = next?.waiting ?? [];
    waiter?.admit();
  }

  private shareOf(accountId: string): Share {
    const present = this.shares.get(accountId);
    if (present !== undefined) return present;
    const share = { running: 0, waiting: new Set<Waiter>() };
    this.shares.set(accountId, share);
    return share;
  }

  private forgetIdle(accountId: string): void {
    const share = this.shares.get(accountId);
    if (share?.running === 0 && share.waiting.size === 0) this.shares.delete(accountId);
  }
}

function tooMuch(): Error {
  return unavailable('Too many requests of this account are in progress, try again shortly');
}
