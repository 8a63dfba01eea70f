import { EMPTY_ROTATION_STATE } from '../../src/engine/index.js';
import { NOON } from './engine-fixtures.js';
import type { StoredRecord } from '../../src/records/index.js';
import type { RouterRecords } from '../../src/dispatch/decision/decider.js';
import type { RouterSnapshot } from '../../src/dispatch/snapshot/router-snapshots.js';

/** What a read asked for. */
interface Asked {
  readonly accountId: string;
  readonly routerIds: readonly string[];
  readonly objectIds: readonly string[];
  readonly unread: readonly string[];
}

/**
 * What a simulation reads: the version of the configuration, records, a rotation that has given 5 turns,
 * and noon.
 */
export class FakeRows {
  /** What each read asked for. */
  readonly asked: Asked[] = [];
  readonly records = new Map<string, StoredRecord>();
  /** Undefined for an account that does not exist. */
  version: string | undefined = '1';

  currentVersion(): Promise<string | undefined> {
    return Promise.resolve(this.version);
  }

  readOnly(
    _: unknown,
    snapshot: RouterSnapshot,
    objectIds: readonly string[],
  ): Promise<RouterRecords & { readonly at: Date }> {
    const { account, id, unread } = snapshot;
    this.asked.push({ ...account, routerIds: [id], objectIds, unread });
    const records = [...this.records.values()].filter((record) => objectIds.includes(record.id));
    const rotation = { ...EMPTY_ROTATION_STATE, seq: 5 };
    return Promise.resolve({ snapshot, records, rotation, turns: [], at: NOON });
  }
}
