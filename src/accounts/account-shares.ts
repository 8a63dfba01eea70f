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

/** Work that waits is given its place. */
type Waiter = (leave: Leave) => void;

/** The work of one account. It exists while the account has any. */
interface Share {
  readonly accountId: string;
  running: number;
  /** The longest waiting first. */
  readonly waiting: Set<Waiter>;
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

  /** Milliseconds that work waits at most. */
  get patience(): number {
    return this.limits.patience;
  }

  /** Most work of one account at present. */
  get most(): number {
    return this.activity.accounts > 1 ? this.limits.shared : this.limits.alone;
  }

  /**
   * Starts a unit of work at once where that is possible.
   * @returns undefined where the work has to wait; see `enter`
   */
  enterNow({ accountId }: AccountContext): Leave | undefined {
    this.activity.note(accountId);
    const share = this.shareOf(accountId);
    return share.waiting.size === 0 && this.hasPlace(share) ? this.start(share) : undefined;
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
      const waiter: Waiter = (given) => {
        clearTimeout(timer);
        resolve(given);
      };
      const refuse = (error: Error): void => {
        if (!share.waiting.delete(waiter)) return;
        clearTimeout(timer);
        this.forgetIdle(share);
        reject(error);
      };
      const timer = setTimeout(() => refuse(tooMuch()), this.limits.patience);
      share.waiting.add(waiter);
      this.shares.set(share.accountId, share);
      onWait?.(() => refuse(new DomainError('invalid_request', 'The client is gone')));
    });
  }

  private shareOf(accountId: string): Share {
    return this.shares.get(accountId) ?? { accountId, running: 0, waiting: new Set() };
  }

  private hasPlace({ running }: Share): boolean {
    return this.running < this.limits.total && running < this.most;
  }

  private forgetIdle({ accountId, running, waiting }: Share): void {
    if (running === 0 && waiting.size === 0) this.shares.delete(accountId);
  }

  private start(share: Share): Leave {
    this.shares.set(share.accountId, share);
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

  /** Starts what has waited longest of the account with the least in progress. */
  private admitNext(): void {
    let next: Share | undefined;
    for (const share of this.shares.values()) {
      if (share.waiting.size === 0 || !this.hasPlace(share)) continue;
      if (next === undefined || share.running < next.running) next = share;
    }
    const [waiter] = next?.waiting ?? [];
    if (next === undefined || waiter === undefined) return;
    next.waiting.delete(waiter);
    waiter(this.start(next));
    this.admitMore();
  }
}

function tooMuch(): Error {
  return unavailable('Too many requests of this account are in progress, try again shortly');
}
