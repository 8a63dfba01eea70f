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
    if (all.every(({ decided }) => decided.length === 0)) return new Map();
    const commit = this.hooks.isEmpty;
    for (const { snapshot, decided } of all) await this.hooks.before(tx, snapshot, decided);
    // A router that has decided nothing may have got a turn back, because another one has taken its record.
    const ids = await this.decisions.write(tx, all, { at, commit, requestIds });
    for (const { snapshot, decided } of all) await this.hooks.after(tx, snapshot, { decided, ids });
    // With hooks COMMIT is still to come: what it refuses is counted all the same.
    this.metrics.note(all);
    const when = assignedAt(at);
    return new Map(
      all.flatMap(({ decided }) =>
        decided.map((one): [string, Outcome] => {
          const assignmentId = ids.get(one.record.id) ?? '';
          return [one.record.id, { ok: true, result: dispatchResult({ ...one, assignmentId }, when) }];
        }),
      ),
    );
  }
}
