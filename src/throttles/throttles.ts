import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Background, inBatches } from '../database/index.js';
import { rateLimited } from '../errors/errors.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { RequestCountsRepository } from './request-counts.repository.js';
import { UsageWindow } from './usage-window.js';

/** A process admits what comes in so much time before it knows what others have admitted. */
const EXCHANGE_MS = 1_000;

const PRUNE_MS = 60_000;

/** A client whose token is verified. */
export interface ThrottledClient extends AccountContext {
  readonly clientId: string;
}

/** A response whose headers are not sent. */
type Answer = Pick<ServerResponse, 'setHeader'>;

/**
 * Limits the requests a minute of each client and of each account. What is refused is not counted, so a
 * client beyond its own limit takes nothing from the limit of its account. Each second this process tells the
 * others what it has admitted, and learns what all of them have; where that fails, it counts alone.
 */
@Injectable()
export class Throttles {
  /** By client or account. */
  private readonly windows = new Map<string, UsageWindow>();

  constructor(
    private readonly counts: RequestCountsRepository,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'RATE_LIMIT_PER_CLIENT' | 'RATE_LIMIT_PER_ACCOUNT'>,
    background: Background,
  ) {
    if (settings.RATE_LIMIT_PER_CLIENT + settings.RATE_LIMIT_PER_ACCOUNT === 0) return;
    background.repeat({
      name: 'throttles',
      every: EXCHANGE_MS,
      failure: 'Requests are counted by this process alone',
      run: () => this.exchange(),
    });
    background.repeat({
      name: 'throttles_sweep',
      every: PRUNE_MS,
      failure: 'Old counts of requests could not be deleted',
      run: () => counts.prune(),
    });
  }

  /** Refuses a client without requests left, and counts nothing. @throws 429 */
  refuseExhausted({ accountId, clientId }: ThrottledClient, answer: Answer): void {
    const now = performance.now();
    refuseSpent([this.present(clientId, now), this.present(accountId, now)], answer, now);
  }

  /**
   * Counts a request, and puts the limit that is nearer to exhaustion in the headers of its answer. Sets none
   * where there is no limit.
   * @throws 429 when the client, or its account, has no request left
   */
  admit({ accountId, clientId }: ThrottledClient, answer: Answer): void {
    const now = performance.now();
    const { RATE_LIMIT_PER_CLIENT: perClient, RATE_LIMIT_PER_ACCOUNT: perAccount } = this.settings;
    const client = this.window({ accountId, subjectId: clientId }, perClient, now);
    const account = this.window({ accountId, subjectId: accountId }, perAccount, now);
    refuseSpent([client, account], answer, now);
    client?.take();
    account?.take();
    const nearer = (client?.remaining ?? Infinity) <= (account?.remaining ?? Infinity) ? client : account;
    if (nearer !== undefined) describe(nearer, answer, now);
  }

  /** Exchanges with the other processes what has been counted since the last time, and drops old windows. */
  async exchange(): Promise<void> {
    const since = performance.now();
    for (const [id, window] of this.windows) if (window.hasEnded(since)) this.windows.delete(id);
    const moved = [...this.windows.values()].filter(({ hasMoved }) => hasMoved);
    await inBatches(moved, (some) => this.tell(some));
  }

  private async tell(windows: readonly UsageWindow[]): Promise<void> {
    const now = performance.now();
    const told = new Map(windows.map((window) => [window.key.subjectId, window]));
    for (const sum of await this.counts.add(windows.map((window) => window.report(now)))) {
      told.get(sum.subjectId)?.learn(sum, performance.now());
    }
  }

  private present(subjectId: string, now: number): UsageWindow | undefined {
    const window = this.windows.get(subjectId);
    return window?.hasEnded(now) === false ? window : undefined;
  }

  /** Returns the window of the present minute; undefined where there is no limit. */
  private window(key: UsageWindow['key'], limit: number, now: number): UsageWindow | undefined {
    if (limit === 0) return undefined;
    const present = this.present(key.subjectId, now);
    if (present !== undefined) return present;
    const window = new UsageWindow(key, limit, now);
    this.windows.set(key.subjectId, window);
    return window;
  }
}

/** Of two windows without requests left, the error is of the one that ends later: both must have one left. */
function refuseSpent(windows: readonly (UsageWindow | undefined)[], answer: Answer, now: number): void {
  const [one, other] = windows.filter((window) => window?.remaining === 0);
  if (one === undefined) return;
  const last = other === undefined || one.secondsLeft(now) >= other.secondsLeft(now) ? one : other;
  describe(last, answer, now);
  const { accountId, subjectId } = last.key;
  const whose = subjectId === accountId ? 'the account' : 'the client';
  const most = `${last.limit} request${last.limit === 1 ? '' : 's'} a minute`;
  throw rateLimited(`Too many requests: ${whose} may send ${most}`, last.secondsLeft(now));
}

function describe(window: UsageWindow, answer: Answer, now: number): void {
  answer.setHeader('RateLimit-Limit', window.limit);
  answer.setHeader('RateLimit-Remaining', window.remaining);
  answer.setHeader('RateLimit-Reset', window.secondsLeft(now));
}
