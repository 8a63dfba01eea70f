import type { ServerResponse } from 'node:http';
import type { AccountContext } from '../accounts/index.js';
import { rateLimited } from '../errors/errors.js';
import type { UsageExchange } from './usage-exchange.js';
import type { UsageWindow } from './usage-window.js';
import { UsageWindows } from './usage-windows.js';

/** Requests a minute; 0 for no limit. */
export interface ThrottleLimits {
  readonly perClient: number;
  readonly perAccount: number;
}

/** A client whose token is verified. */
export interface ThrottledClient extends AccountContext {
  readonly clientId: string;
}

/** A response whose headers are not sent. */
type Answer = Pick<ServerResponse, 'setHeader'>;

/**
 * Limits the requests a minute of each client and of each account. What is refused is not counted, so a
 * client beyond its own limit takes nothing from the limit of its account.
 */
export class Throttles {
  private readonly windows = new UsageWindows();

  /** @param now milliseconds of a clock that never runs backwards */
  constructor(
    private readonly limits: ThrottleLimits,
    private readonly exchange: Pick<UsageExchange, 'note'>,
    private readonly now: () => number,
  ) {}

  /** Refuses a client without requests left, and counts nothing. @throws 429 */
  refuseExhausted({ accountId, clientId }: ThrottledClient, answer: Answer): void {
    const now = this.now();
    const client = this.windows.find(clientId, now);
    const account = this.windows.find(accountId, now);
    const exhausted = later(spent(client), spent(account), now);
    if (exhausted !== undefined) refuse(exhausted, answer, now);
  }

  /**
   * Counts a request, and puts the limit that is nearer to exhaustion in the headers of its answer. Sets none
   * where there is no limit.
   * @throws 429 when the client, or its account, has no request left
   */
  admit({ accountId, clientId }: ThrottledClient, answer: Answer): void {
    const now = this.now();
    const client = this.window(accountId, clientId, now);
    const account = this.window(accountId, accountId, now);
    const exhausted = later(spent(client), spent(account), now);
    if (exhausted !== undefined) refuse(exhausted, answer, now);
    if (client !== undefined) this.take(client);
    if (account !== undefined) this.take(account);
    const nearer = (client?.remaining ?? Infinity) <= (account?.remaining ?? Infinity) ? client : account;
    if (nearer !== undefined) describe(nearer, answer, now);
  }

  /** Drops the windows that have ended. */
  sweep(): void {
    this.windows.sweep(this.now());
  }

  /** How many windows are kept. */
  get size(): number {
    return this.windows.size;
  }

  private window(accountId: string, subjectId: string, now: number): UsageWindow | undefined {
    const limit = subjectId === accountId ? this.limits.perAccount : this.limits.perClient;
    if (limit === 0) return undefined;
    return this.windows.find(subjectId, now) ?? this.windows.begin({ accountId, subjectId }, limit, now);
  }

  private take(window: UsageWindow): void {
    window.take();
    this.exchange.note(window);
  }
}

function spent(window: UsageWindow | undefined): UsageWindow | undefined {
  return window?.remaining === 0 ? window : undefined;
}

/** Returns the window that ends later, because both must have a request left. */
function later(
  one: UsageWindow | undefined,
  other: UsageWindow | undefined,
  now: number,
): UsageWindow | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.secondsLeft(now) >= other.secondsLeft(now) ? one : other;
}

function describe(window: UsageWindow, answer: Answer, now: number): void {
  answer.setHeader('RateLimit-Limit', window.limit);
  answer.setHeader('RateLimit-Remaining', window.remaining);
  answer.setHeader('RateLimit-Reset', window.secondsLeft(now));
}

function refuse(window: UsageWindow, answer: Answer, now: number): never {
  describe(window, answer, now);
  const { accountId, subjectId } = window.key;
  const whose = subjectId === accountId ? 'the account' : 'the client';
  const most = `${window.limit} request${window.limit === 1 ? '' : 's'} a minute`;
  throw rateLimited(`Too many requests: ${whose} may send ${most}`, window.secondsLeft(now));
}
