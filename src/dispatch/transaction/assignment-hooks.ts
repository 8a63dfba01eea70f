import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import type { Decision } from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { shownRecord, type StoredRecord } from '../../records/index.js';
import type { Decided } from '../decision/decider.js';
import type { LoggedDecision } from './dispatch-result.js';

/** A router's decision on a record that is not written yet. It assigns somebody or nobody. */
export interface DecidedAssignment {
  readonly account: AccountContext;
  readonly router: { readonly id: string; readonly name: string };
  /** The record before the assignment, with the e-mails of users in its user fields. */
  readonly record: StoredRecord;
  readonly decision: Decision;
}

/** An assignment that was written to the log. */
export interface WrittenAssignment extends DecidedAssignment {
  readonly assignmentId: string;
}

/**
 * A hook on dispatches. It runs in their transaction. After a deadlock the transaction runs again with the
 * hook, so a hook must have no effects outside the transaction. Simulations call no hooks. A decision that is
 * `unchanged` leaves the record with its owner.
 */
export interface AssignmentHook {
  /** Before anything is written. @throws DomainError to refuse: nothing is written then */
  before?(tx: Transaction, assignment: DecidedAssignment): Promise<void>;
  /** After the owner, the rotation and the log were written, before COMMIT. @throws DomainError to refuse */
  after?(tx: Transaction, assignment: WrittenAssignment): Promise<void>;
}

/** A hook has refused an assignment. The transaction that it shares with others must be rolled back. */
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

  /** Returns true when there are no hooks, so that COMMIT can be sent with the write. */
  get isEmpty(): boolean {
    return this.hooks.length === 0;
  }

  /** Runs the steps of the hooks before the write. @throws RefusedByHook */
  async before(tx: Transaction, decided: readonly Decided[]): Promise<void> {
    for (const one of decided) {
      const assignment = subject(one);
      for (const hook of this.hooks) await refusable(() => hook.before?.(tx, assignment));
    }
  }

  /** Runs the steps of the hooks after the write. @throws RefusedByHook */
  async after(tx: Transaction, logged: readonly LoggedDecision[]): Promise<void> {
    for (const one of logged) {
      const assignment = { ...subject(one), assignmentId: one.assignmentId };
      for (const hook of this.hooks) await refusable(() => hook.after?.(tx, assignment));
    }
  }
}

function subject({ snapshot, record, decision }: Decided): DecidedAssignment {
  const { account, id, name, directory, catalog, objectType } = snapshot;
  const shown = shownRecord(record, directory.names, catalog.userFieldNames(objectType));
  return { account, router: { id, name }, record: shown, decision };
}

async function refusable(work: () => Promise<void> | undefined): Promise<void> {
  try {
    // Called here: a hook that is no async function throws at once.
    await work();
  } catch (error) {
    throw error instanceof DomainError ? new RefusedByHook(error) : error;
  }
}
