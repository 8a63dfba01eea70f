import type { AccountContext } from '../../src/accounts/index.js';
import type { Queryable } from '../../src/database/index.js';
import { EMPTY_ROTATION_STATE } from '../../src/engine/index.js';
import { NOON } from './engine-fixtures.js';
import type { StoredRecord } from '../../src/records/index.js';
import type { DispatchKeys, DispatchRows } from '../../src/dispatch/transaction/dispatch.repository.js';

/**
 * What a simulation reads: the version of the configuration, records, a rotation that has given 5 turns,
 * and noon.
 */
export class FakeRows {
  /** What each read asked for. */
  readonly asked: (DispatchKeys & AccountContext)[] = [];
  readonly records = new Map<string, StoredRecord>();
  /** Undefined for an account that does not exist. */
  version: string | undefined = '1';

  currentVersion(): Promise<string | undefined> {
    return Promise.resolve(this.version);
  }

  readOnly(_: Queryable, { accountId }: AccountContext, keys: DispatchKeys): Promise<DispatchRows> {
    this.asked.push({ accountId, ...keys });
    const rotations = new Map(keys.routerIds.map((id) => [id, { ...EMPTY_ROTATION_STATE, seq: 5 }]));
    const records = [...this.records].filter(([id]) => keys.objectIds.includes(id));
    return Promise.resolve({ records: new Map(records), rotations, at: NOON });
  }
}
