import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import type { Decisions } from '../decision/decided.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DecisionMetrics } from './decision-metrics.js';
import { DecisionsRepository, type DecisionsOptions } from './decisions.repository.js';
import { assignedAt, dispatchResult } from './dispatch-result.js';
import type { Outcome } from './run.js';

/** Writes the decisions of a transaction, between the hooks on them. */
@Injectable()
export class AssignmentWriter {
  constructor(
    private readonly decisions: DecisionsRepository,
    private readonly hooks: AssignmentHooks,
    private readonly metrics: DecisionMetrics,
  ) {}

  /**
   * Sends COMMIT with the write, unless there are hooks.
   * @returns the outcomes by record
   * @throws RefusedByHook
   */
  async write(
    tx: Transaction,
    decisions: Decisions,
    { at, requestIds }: Pick<DecisionsOptions, 'at' | 'requestIds'>,
  ): Promise<ReadonlyMap<string, Outcome>> {
    const { decided } = decisions;
    if (decided.length === 0) return new Map();
    const commit = this.hooks.isEmpty;
    await this.hooks.before(tx, decided);
    const ids = await this.decisions.write(tx, decisions, { at, commit, requestIds });
    await this.hooks.after(tx, { decided, ids });
    // With hooks COMMIT is still to come: what it refuses is counted all the same.
    this.metrics.note(decided);
    const when = assignedAt(at);
    return new Map(
      decided.map((one): [string, Outcome] => {
        const assignmentId = ids.get(one.record.id) ?? '';
        return [one.record.id, { ok: true, result: dispatchResult({ ...one, assignmentId }, when) }];
      }),
    );
  }
}
