import { DomainError } from '../errors/domain-error.js';
import { unavailable } from '../errors/errors.js';
import { AccountActivity } from './account-activity.js';
import type { AccountContext } from './account-context.js';

/** How many units of work may be in progress, and may wait. */
export interface ShareLimits {
  /** Work of all accounts together. */
  readonly total: number;
  /** Work of one account while others are active, and while none is. */
  readonly shared: number;
  readonly alone: number;
  /** Waiting work of one account; more is refused. */
  readonly waiting: number;
  /** Milliseconds that work waits; then it is refused. */
  readonly patience: number;
}

/** Ends a unit of work. A second call has no effect. */
export type Leave = () => void;

interface Waiter {
  /** Milliseconds of the clock of `performance`. */
  readonly since: number;
  readonly resolve: (leave: Leave) => void;
  readonly reject: (error: Error) => void;
}

/** The work of one account. It exists while the account has any. */
interface Share {
  readonly accountId: string;
  running: number;
  /** The longest waiting first. */
  readonly waiting: Set<Waiter>;
  /** Refuses what has waited too long. It runs while something waits. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * Divides what accounts share: the connections of the pool, and the time of the process. An account has at
 * most `shared` units of work in progress while others are active, and `alone` while none is, so that others
 * find a free place at once. A place that becomes free goes to the waiting account with the least work in
 * progress. The work of one account starts in the order in which it came. While several accounts are active,
 * one unit of work that has waited starts in each turn of the event loop, so that the work of others comes in
 * between.
 */
export class AccountShares {
  private readonly shares = new Map<string, Share>();
  private running = 0;
  private admits = false;

  /** @param activity that of all accounts, where more than one AccountShares divide the same */
  constructor(
    private readonly limits: ShareLimits,
    private readonly activity = new AccountActivity(),
  ) {}

  /**
   * Starts a unit of work at once where that is possible.
   * @returns undefined where the work has to wait; see `enter`
   */
  enterNow({ accountId }: AccountContext): Leave | undefined {
    this.activity.note(accountId);
    const share = this.shares.get(accountId);
    const isFree = this.running < this.limits.total && (share?.waiting.size ?? 0) === 0;
    if (!isFree || (share?.running ?? 0) >= this.most) return undefined;
    return this.start(this.shareOf(accountId));
  }

  /** Milliseconds that work waits at most. */
  get patience(): number {
    return this.limits.patience;
  }

  /** Most work of one account at present. */
  get most(): number {
    return this.activity.accounts > 1 ? this.limits.shared : this.limits.alone;
  }

  /**
   * Starts a unit of work as soon as it is its turn.
   * @param onWait called where the work has to wait, with a function that ends the waiting
   * @throws DomainError 503 when too much work of the account waits, or this one has waited too long; 400
   *   when the waiting was ended
   */
  enter(account: AccountContext, onWait?: (end: () => void) => void): Promise<Leave> {
    const leave = this.enterNow(account);
    if (leave !== undefined) return Promise.resolve(leave);
    const share = this.shareOf(account.accountId);
    if (share.waiting.size >= this.limits.waiting) return Promise.reject(tooMuch());
    return new Promise((resolve, reject) => {
      const waiter = { since: performance.now(), resolve, reject };
      share.waiting.add(waiter);
      share.timer ??= this.refuseLater(share, this.limits.patience);
      onWait?.(() => {
        if (!share.waiting.has(waiter)) return;
        this.remove(share, waiter);
        reject(new DomainError('invalid_request', 'The client is gone'));
      });
    });
  }

  private refuseLater(share: Share, delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      share.timer = undefined;
      const now = performance.now();
      for (const waiter of share.waiting) {
        const left = waiter.since + this.limits.patience - now;
        if (left > 0) {
          share.timer = this.refuseLater(share, left);
          return;
        }
        this.remove(share, waiter);
        waiter.reject(tooMuch());
      }
    }, delay);
  }

  private remove(share: Share, waiter: Waiter): void {
    share.waiting.delete(waiter);
    if (share.waiting.size === 0) {
      clearTimeout(share.timer);
      share.timer = undefined;
    }
    this.forgetIdle(share);
  }

  private forgetIdle({ accountId, running, waiting }: Share): void {
    if (running === 0 && waiting.size === 0) this.shares.delete(accountId);
  }

  private start(share: Share): Leave {
    share.running++;
    this.running++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      share.running--;
      this.running--;
      this.forgetIdle(share);
      this.admitMore();
    };
  }

  private admitNext(): void {
    const share = this.next();
    const [waiter] = share?.waiting ?? [];
    if (share === undefined || waiter === undefined) return;
    const leave = this.start(share);
    this.remove(share, waiter);
    waiter.resolve(leave);
    this.admitMore();
  }

  private admitMore(): void {
    if (this.activity.accounts < 2) this.admitNext();
    else if (!this.admits) {
      this.admits = true;
      setImmediate(() => {
        this.admits = false;
        this.admitNext();
      });
    }
  }

  /** The account that may start work that waits, and has the least in progress. */
  private next(): Share | undefined {
    if (this.running >= this.limits.total) return undefined;
    const { most } = this;
    let next: Share | undefined;
    for (const share of this.shares.values()) {
      if (share.waiting.size === 0 || share.running >= most) continue;
      if (next === undefined || share.running < next.running) next = share;
    }
    return next;
  }

  private shareOf(accountId: string): Share {
    const present = this.shares.get(accountId);
    if (present !== undefined) return present;
    const share: Share = { accountId, running: 0, waiting: new Set(), timer: undefined };
    this.shares.set(accountId, share);
    return share;
  }
}

function tooMuch(): Error {
  return unavailable('Too many requests of this account are in progress, try again shortly');
}
