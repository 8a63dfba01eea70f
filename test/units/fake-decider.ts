import type { Decision } from '../../src/engine/index.js';
import type { StoredRecord } from '../../src/records/index.js';
import type { Decisions, RouterRecords } from '../../src/dispatch/decision/decided.js';
import type { DecisionReads } from '../../src/dispatch/decision/decider.js';

/** Notes what it is to decide on, and decides as the test says. */
export class FakeDecider {
  /** One for each router. */
  readonly calls: (RouterRecords & { readonly reads: DecisionReads })[] = [];

  /** @param decide undefined leaves a record out */
  constructor(public decide: (record: StoredRecord) => Decision | undefined) {}

  async decideAll(routers: readonly RouterRecords[], reads: DecisionReads): Promise<Decisions[]> {
    this.calls.push(...routers.map((router) => ({ ...router, reads })));
    await reads.lockUsers?.(['ada@acme.test']);
    return routers.map(({ snapshot, records }) => {
      const decided = records.flatMap((record) => {
        const decision = this.decide(record);
        return decision === undefined ? [] : [{ record, decision }];
      });
      return { snapshot, decided, rotations: new Map() };
    });
  }
}
