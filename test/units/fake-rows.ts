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

  readOnly(
    _: Queryable,
    { accountId }: AccountContext,
    keys: DispatchKeys,
  ): Promise<DispatchRows | undefined> {
    this.asked.push({ accountId, ...keys });
    const { version, records } = this;
    const rotations = new Map(keys.routerIds.map((id) => [id, { ...EMPTY_ROTATION_STATE, seq: 5 }]));
    if (version === undefined) return Promise.resolve(undefined);
    return Promise.resolve({ version, objectIds: keys.objectIds, records, rotations, at: NOON });
  }
}
