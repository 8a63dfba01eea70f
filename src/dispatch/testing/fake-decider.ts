import type { Decision } from '../../engine/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { DecisionReads, Decisions } from '../decision/decider.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

/** Notes what it is to decide on, and decides as the test says. */
export class FakeDecider {
  readonly calls: {
    readonly snapshot: RouterSnapshot;
    readonly records: readonly StoredRecord[];
    readonly reads: DecisionReads;
  }[] = [];

  /** @param decide undefined leaves a record out */
  constructor(public decide: (record: StoredRecord) => Decision | undefined) {}

  async decideAll(
    snapshot: RouterSnapshot,
    records: readonly StoredRecord[],
    reads: DecisionReads,
  ): Promise<Decisions> {
    this.calls.push({ snapshot, records, reads });
    await reads.lockUsers?.(['ada@acme.test']);
    const decided = records.flatMap((record) => {
      const decision = this.decide(record);
      return decision === undefined ? [] : [{ record, decision }];
    });
    return { decided, rotations: new Map() };
  }
}
