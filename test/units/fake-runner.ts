import type { AccountContext } from '../../src/accounts/index.js';
import type { Deadline } from '../../src/database/index.js';
import type { Left, Outcome, Run } from '../../src/dispatch/transaction/dispatch-result.js';

/** What a transaction makes of a run. */
type End = (run: Run) => Outcome | Left;

/** A runner whose transactions end when the test ends them. */
export class FakeRunner {
  /** The objects of each transaction, in the order in which the transactions began. */
  readonly runs: (readonly string[])[] = [];
  /** The accounts of the transactions. */
  readonly accounts: string[] = [];
  /** Whether each transaction waits for records. */
  readonly waits: boolean[] = [];
  /** The deadline of each transaction. */
  readonly deadlines: (Deadline | undefined)[] = [];
  /** The objects that are locked for parts of a transaction. */
  readonly locked: (readonly string[])[] = [];
  private readonly open: {
    runs: readonly Run[];
    resolve: (results: (Outcome | Left)[]) => void;
    reject: (error: unknown) => void;
  }[] = [];

  run(
    { accountId, deadline }: AccountContext,
    runs: readonly Run[],
    { waits } = { waits: false },
  ): Promise<(Outcome | Left)[]> {
    this.runs.push(runs.map(({ objectId }) => objectId));
    this.accounts.push(accountId);
    this.deadlines.push(deadline);
    this.waits.push(waits);
    return new Promise((resolve, reject) => this.open.push({ runs, resolve, reject }));
  }

  lock(_: AccountContext, runs: readonly Run[]): Promise<void> {
    this.locked.push(runs.map(({ objectId }) => objectId));
    return Promise.resolve();
  }

  /** Ends the oldest open transaction. Every object is assigned unless told. */
  async commit(end: End = ({ objectId }) => outcome(objectId)): Promise<void> {
    const ended = this.open.shift();
    ended?.resolve(ended.runs.map(end));
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
