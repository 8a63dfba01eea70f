import type { FakeDatabase } from './fake-database.js';
import { EMPTY_ROTATION_STATE } from '../../src/engine/index.js';
import type { StoredRecord } from '../../src/records/index.js';
import type { Decisions } from '../../src/dispatch/decision/decided.js';
import type { DispatchKeys, DispatchRows } from '../../src/dispatch/transaction/dispatch.repository.js';
import type { ACME } from './decisions.js';

/** The clock of the database. */
export const AT = new Date('2026-06-10T12:00:00Z');

/**
 * Locks, records that are locked and read, and what is written of them; notes all among the events of the
 * database.
 */
export class FakeDispatches {
  readonly records = new Map<string, StoredRecord>();
  readonly commits: boolean[] = [];
  /** The fields that each read has left out. */
  readonly unread: (readonly string[])[] = [];
  version: string | undefined = '1';
  /** Records that somebody else has locked. */
  held: readonly string[] = [];
  /** Records of which the log has no entry. */
  lost: readonly string[] = [];

  constructor(private readonly database: FakeDatabase) {}

  lockAccount(_: unknown, { accountId }: typeof ACME): Promise<string | undefined> {
    this.database.events.push(`lock ${accountId}`);
    return Promise.resolve(this.version);
  }

  lockRecords(_: unknown, __: unknown, objectIds: readonly string[]): Promise<void> {
    this.database.events.push(`wait for ${objectIds.join()}`);
    this.held = [];
    return Promise.resolve();
  }

  readAndLock(_: unknown, __: unknown, keys: DispatchKeys): Promise<DispatchRows> {
    const { routerIds, objectIds, unread } = keys;
    this.unread.push(unread);
    this.database.events.push(`read ${routerIds.join()} ${objectIds.join()}`);
    return Promise.resolve({
      records: new Map([...this.records].filter(([id]) => !this.held.includes(id))),
      rotations: new Map(routerIds.map((id) => [id, { ...EMPTY_ROTATION_STATE, seq: 5 }])),
      at: AT,
    });
  }

  readExisting(_: unknown, __: unknown, objectIds: readonly string[]): Promise<ReadonlySet<string>> {
    this.database.events.push(`look for ${objectIds.join()}`);
    return Promise.resolve(new Set(objectIds.filter((id) => this.held.includes(id))));
  }

  write(
    _: unknown,
    { decided }: Decisions,
    { at, commit }: { at: Date; commit: boolean },
  ): Promise<Map<string, string>> {
    this.commits.push(commit);
    const routers = [...new Set(decided.map(({ snapshot }) => snapshot.id))];
    const written = routers.map((id) => {
      const own = decided.filter(({ snapshot }) => snapshot.id === id);
      return `${id} ${own.map(({ record }) => record.id).join()}`;
    });
    this.database.events.push(`write ${written.join('; ')}`);
    expect(at).toBe(AT);
    const kept = decided.filter(({ record }) => !this.lost.includes(record.id));
    return Promise.resolve(new Map(kept.map(({ record }) => [record.id, `entry of ${record.id}`])));
  }
}
