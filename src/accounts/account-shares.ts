import { unavailable } from '../errors/errors.js';
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

/** Milliseconds for which an account counts as active after its last work came: one to two of these. */
const ACTIVE = 1_000;

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
 * Divides what accounts share: the connections of the pool, and the time of the process. An account has at
 * most `shared` units of work in progress while others are active, and `alone` while none is, so that others
 * find a free place at once. A place that becomes free goes to the waiting account with the least work in
 * progress. The work of one account starts in the order in which it came. Of work that has waited, one unit
 * starts in each turn of the event loop, so that the work of others comes in between.
 */
export class AccountShares {
  private readonly shares = new Map<string, Share>();
  private running = 0;
  private admits = false;
  private readonly activity = new Activity();

  constructor(private readonly limits: ShareLimits) {}

  /**
   * Starts a unit of work at once where that is possible.
   * @returns undefined where the work has to wait; see `enter`
   */
  enterNow({ accountId }: AccountContext): Leave | undefined {
    this.activity.note(accountId);
    const share = this.shares.get(accountId);
    const isFree = this.running < this.limits.total && (share?.waiting.size ?? 0) === 0;
    if (!isFree || (share?.running ?? 0) >= this.most) return undefined;
    return this.start(accountId);
  }

  /** Most work of one account at present. */
  private get most(): number {
    return this.activity.accounts > 1 ? this.limits.shared : this.limits.alone;
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
      this.admitSoon();
    };
  }

  private admitSoon(): void {
    if (this.admits) return;
    this.admits = true;
    setImmediate(() => {
      this.admits = false;
      const waiter = this.nextWaiter();
      if (waiter === undefined) return;
      waiter.admit();
      this.admitSoon();
    });
  }

  private nextWaiter(): Waiter | undefined {
    if (this.running >= this.limits.total) return undefined;
    const { most } = this;
    let next: Share | undefined;
    for (const share of this.shares.values()) {
      if (share.waiting.size === 0 || share.running >= most) continue;
      if (next === undefined || share.running < next.running) next = share;
    }
    const [waiter] = next?.waiting ?? [];
    return waiter;
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

/** Counts the accounts whose work came of late. */
class Activity {
  private started = performance.now();
  private present = new Set<string>();
  private before = new Set<string>();

  note(accountId: string): void {
    const now = performance.now();
    if (now - this.started >= ACTIVE) {
      this.before = now - this.started < 2 * ACTIVE ? this.present : new Set();
      this.present = new Set();
      this.started = now;
    }
    this.present.add(accountId);
  }

  get accounts(): number {
    return Math.max(this.present.size, this.before.size);
  }
}

function tooMuch(): Error {
  return unavailable('Too many requests of this account are in progress, try again shortly');
}
