import type { Decision } from '../../src/engine/index.js';
import type { StoredRecord } from '../../src/records/index.js';
import type { DecisionReads, Decisions, RouterRecords } from '../../src/dispatch/decision/decider.js';

/** Notes what it is to decide on, and decides as the test says. */
export class FakeDecider {
  /** One for each router. */
  readonly calls: (RouterRecords & { readonly reads: DecisionReads })[] = [];

  /** @param choose undefined leaves a record out */
  constructor(public choose: (record: StoredRecord) => Decision | undefined) {}

  /** The progress that is told of, if any. */
  onProgress: ((decided: number) => void) | undefined;

  read(routers: readonly RouterRecords[], reads: DecisionReads): Promise<{ all: readonly RouterRecords[] }> {
    this.calls.push(...routers.map((router) => ({ ...router, reads })));
    return Promise.resolve({ all: routers });
  }

  decide(
    { all }: { all: readonly RouterRecords[] },
    onProgress?: (decided: number) => void,
  ): Promise<Decisions> {
    this.onProgress = onProgress;
    const decided = all.flatMap(({ snapshot, records }) =>
      records.flatMap((record) => {
        const decision = this.choose(record);
        return decision === undefined ? [] : [{ snapshot, record, decision }];
      }),
    );
    return Promise.resolve({ decided, changes: { rotations: [], returned: [], owed: [] } });
  }
}
