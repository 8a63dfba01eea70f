import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import type { Decision } from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { StoredRecord } from '../../records/index.js';
import type { Decided } from '../decision/decider.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

/** A run of a router on a record, decided and not written yet. It assigns somebody or nobody. */
export interface DecidedAssignment {
  readonly account: AccountContext;
  readonly router: { readonly id: string; readonly name: string };
  /** The record as it was before. */
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** An assignment that was written to the log. */
export interface WrittenAssignment extends DecidedAssignment {
  readonly assignmentId: string;
}

/**
 * Takes part in dispatches, in their transaction. A deadlock reruns the transaction and the hook with it, so a hook must
 * have no effects outside it. Simulations call no hooks.
 */
export interface AssignmentHook {
  /** Called after the decision, before anything is written. @throws DomainError to refuse: nothing is written then */
  before?(tx: Transaction, assignment: DecidedAssignment): Promise<void>;
  /** Called after the owner, the rotation and the log were written, before COMMIT. @throws DomainError as `before` */
  after?(tx: Transaction, assignment: WrittenAssignment): Promise<void>;
}

/** A hook has refused an assignment; the transaction that it shares with others must be undone. */
export class RefusedByHook extends Error {
  constructor(readonly refusal: DomainError) {
    super(refusal.message, { cause: refusal });
  }
}

/** The hooks on assignments, in the order in which they were registered. */
@Injectable()
export class AssignmentHooks {
  private readonly hooks: AssignmentHook[] = [];

  register(hook: AssignmentHook): void {
    this.hooks.push(hook);
  }

  /** True where no hook takes part, so that COMMIT can be sent with the write. */
  get isEmpty(): boolean {
    return this.hooks.length === 0;
  }

  /** @throws RefusedByHook */
  async before(tx: Transaction, snapshot: RouterSnapshot, decided: readonly Decided[]): Promise<void> {
    for (const { record, decision } of decided) {
      const assignment = { ...subject(snapshot), record, decision };
      for (const hook of this.hooks) await refusable(hook.before?.(tx, assignment));
    }
  }

  /** @throws RefusedByHook */
  async after(
    tx: Transaction,
    snapshot: RouterSnapshot,
    { decided, ids }: { readonly decided: readonly Decided[]; readonly ids: ReadonlyMap<string, string> },
  ): Promise<void> {
    for (const { record, decision } of decided) {
      const assignment = { ...subject(snapshot), record, decision, assignmentId: ids.get(record.id) ?? '' };
      for (const hook of this.hooks) await refusable(hook.after?.(tx, assignment));
    }
  }
}

function subject({ account, id, name }: RouterSnapshot): Pick<DecidedAssignment, 'account' | 'router'> {
  return { account, router: { id, name } };
}

async function refusable(work: Promise<void> | undefined): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof DomainError ? new RefusedByHook(error) : error;
  }
}
