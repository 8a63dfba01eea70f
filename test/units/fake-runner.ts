import type { AccountContext } from '../../src/accounts/index.js';
import type { Deadline } from '../../src/database/index.js';
import type { Outcome } from '../../src/dispatch/transaction/outcome.js';
import type { RouterRuns, RunsResult } from '../../src/dispatch/transaction/router-runs.js';

/** A runner whose transactions end when the test ends them. */
export class FakeRunner {
  /** The objects of each transaction, in the order in which the transactions began. */
  readonly runs: (readonly string[])[] = [];
  /** Account and routers of each transaction. */
  readonly lanes: string[] = [];
  /** Whether each transaction waits for locks. */
  readonly waits: boolean[] = [];
  /** The deadline of each transaction. */
  readonly deadlines: (Deadline | undefined)[] = [];
  private readonly open: {
    runs: readonly RouterRuns[];
    resolve: (results: RunsResult[]) => void;
    reject: (error: unknown) => void;
  }[] = [];

  run(
    { accountId, deadline }: AccountContext,
    runs: readonly RouterRuns[],
    { waits }: { waits: boolean },
  ): Promise<RunsResult[]> {
    this.runs.push(runs.flatMap(({ objectIds }) => objectIds));
    this.deadlines.push(deadline);
    this.lanes.push(`${accountId} ${runs.map(({ routerId }) => routerId).join()}`);
    this.waits.push(waits);
    return new Promise((resolve, reject) => this.open.push({ runs, resolve, reject }));
  }

  /** Ends the oldest open transaction. Every object is assigned, or the first ones of each router. */
  commit(most?: number): Promise<void> {
    return this.end(({ objectIds }) => ({ outcomes: objectIds.slice(0, most).map(outcome), alone: false }));
  }

  /** Ends the oldest open transaction. */
  async end(result: (runs: RouterRuns) => RunsResult): Promise<void> {
    const ended = this.open.shift();
    ended?.resolve(ended.runs.map(result));
    await settle();
  }

  /** Ends the oldest open transaction with an error. */
  async fail(error: unknown): Promise<void> {
    this.open.shift()?.reject(error);
    await settle();
  }
}

/** What FakeRunner answers for a record. */
export const outcome = (objectId: string): Outcome => ({
  ok: true,
  result: { message: objectId, success: false, reason: 'trigger_not_matched', assignment_id: objectId },
});

/** Waits until all code has run that needs no further event. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
}
