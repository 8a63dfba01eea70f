import type { Queryable } from '../../src/database/index.js';
import type { RouterRecords } from '../../src/dispatch/decision/decider.js';
import { requiredUsers, type WorkloadReader } from '../../src/dispatch/decision/workload-reader.js';
import type { RotationKey, RotationsRepository } from '../../src/dispatch/rotations/rotations.repository.js';
import {
  NOTHING_ASSIGNED,
  type MatchedOwner,
  type Needs,
  type Rotation,
  type RotationState,
  type Workloads,
} from '../../src/engine/index.js';

/** The database of these reads. */
export const db = {} as Queryable;

/** Everything that a decider reads from the database; notes what is read, in order. */
export class FakeReads {
  readonly events: string[] = [];
  /** The rotations that were read. */
  wanted: readonly RotationKey[] | undefined;
  required: Needs | undefined;
  /** Of the router R, by key. */
  rotations = new Map<string, RotationState>();
  matched = new Map<string, MatchedOwner>();
  /** Records that each user has, in all capacities too. */
  owned: Readonly<Record<string, number>> = {};
  /** Instants at which users got records. */
  newest: Readonly<Record<string, readonly number[]>> = {};

  match(queryable: unknown, routers: readonly RouterRecords[]): Promise<ReadonlyMap<string, MatchedOwner>> {
    expect(queryable).toBe(db);
    const matching = routers.filter(({ snapshot }) => snapshot.matchesAccounts);
    const ids = matching.flatMap(({ records }) => records.map(({ id }) => id));
    if (matching.length > 0) this.events.push(`match ${ids.join()}`);
    return Promise.resolve(this.matched);
  }

  readonly rotationsRepository = {
    read: (_: unknown, { accountId }: any, wanted: readonly RotationKey[]): Promise<Rotation[]> => {
      this.events.push(`rotations of ${accountId}`);
      this.wanted = wanted;
      const rows = [...this.rotations].map(([key, state]) => ({ routerId: 'R', key, state }));
      return Promise.resolve(rows);
    },
  } as unknown as RotationsRepository;

  readonly workloadReader = {
    read: (_: unknown, required: Needs): Promise<Workloads> => {
      this.events.push('workloads');
      this.required = required;
      const workload = (email: string) => ({
        assigned: { ...NOTHING_ASSIGNED, newest: this.newest[email] ?? [] },
        owned: this.owned[email] ?? 0,
        capacities: new Map([...required.capacities.keys()].map((name) => [name, this.owned[email] ?? 0])),
      });
      return Promise.resolve(new Map(requiredUsers(required).map((email) => [email, workload(email)])));
    },
  } as unknown as WorkloadReader;
}
