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
   * @param all the decisions of each router, see DecisionsRepository
   * @returns the outcomes by record
   * @throws RefusedByHook
   */
  async write(
    tx: Transaction,
    all: readonly Decisions[],
    { at, requestIds }: Pick<DecisionsOptions, 'at' | 'requestIds'>,
  ): Promise<ReadonlyMap<string, Outcome>> {
    const decisions = all.filter(({ decided }) => decided.length > 0);
    if (decisions.length === 0) return new Map();
    const commit = this.hooks.isEmpty;
    if (!commit) {
      for (const { snapshot, decided } of decisions) await this.hooks.before(tx, snapshot, decided);
    }
    const ids = await this.decisions.write(tx, decisions, { at, commit, requestIds });
    if (!commit) {
      for (const { snapshot, decided } of decisions) await this.hooks.after(tx, snapshot, { decided, ids });
    }
    // With hooks COMMIT is still to come: what it refuses is counted all the same.
    this.metrics.note(decisions);
    const when = assignedAt(at);
    return new Map(
      decisions.flatMap(({ decided }) =>
        decided.map((one): [string, Outcome] => {
          const assignmentId = ids.get(one.record.id) ?? '';
          return [one.record.id, { ok: true, result: dispatchResult({ ...one, assignmentId }, when) }];
        }),
      ),
    );
  }
}
