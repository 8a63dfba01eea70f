import { Injectable } from '@nestjs/common';
import { AssignmentsRepository, NOTHING_ASSIGNED, type AssignedCounts } from '../../assignments/index.js';
import type { Queryable } from '../../database/index.js';
import { limitWindows, type LimitWindows, type User } from '../../directory/index.js';
import { LIMIT_SPANS, type Capacity, type RequiredWorkloads, type Workloads } from '../../engine/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';

const NOBODY_ASSIGNED: ReadonlyMap<string, AssignedCounts> = new Map();
const NOBODY_OWNS: ReadonlyMap<string, number> = new Map();

/** Where workloads are read, and as of which instant. */
export interface WorkloadReads {
  readonly db: Queryable;
  /** The instant of the decision. */
  readonly at: Date;
  /** Assignments after this instant do not count. Null counts all that is committed. */
  readonly until: Date | null;
}

/** Reads the workloads that decisions require. Runs no query when they require none. */
@Injectable()
export class WorkloadReader {
  constructor(
    private readonly assignments: AssignmentsRepository,
    private readonly owned: OwnedRecordsRepository,
  ) {}

  /** Returns the workloads of every required user, by e-mail. */
  async read(
    snapshot: RouterSnapshot,
    required: RequiredWorkloads,
    { db, at, until }: WorkloadReads,
  ): Promise<Workloads> {
    const { account, directory, objectType, ownerField } = snapshot;
    const nameOf = (email: string): string => directory.names.nameOf(email);
    this.owned.need(account, snapshot);
    const windows = new Map(
      required.assigned.flatMap((email) => {
        const user = directory.users.get(email);
        return user === undefined ? [] : [[nameOf(email), windowsOf(user, at)] as const];
      }),
    );
    const capacities = snapshot.capacities.flatMap((capacity) => {
      const owners = required.capacities.get(capacity.name);
      return owners === undefined ? [] : [{ capacity, owners: owners.map(nameOf) }];
    });
    const [assigned, owned, ...inCapacity] = await Promise.all([
      windows.size === 0 ? NOBODY_ASSIGNED : this.assignments.countAssigned(db, account, { windows, until }),
      required.owned.length === 0
        ? NOBODY_OWNS
        : this.owned.count(db, account, { objectType, ownerField, owners: required.owned.map(nameOf) }),
      ...capacities.map(({ capacity, owners }) => {
        const having = storedCapacity(capacity, snapshot);
        return this.owned.count(db, account, { objectType, ownerField, owners, having });
      }),
    ]);
    const counts = capacities.map(({ capacity }, index) => [capacity.name, inCapacity[index]] as const);
    return new Map(
      requiredUsers(required).map((email) => {
        const stored = nameOf(email);
        const inCapacities = counts.map(([name, byOwner]) => [name, byOwner?.get(stored) ?? 0] as const);
        return [
          email,
          {
            assigned: assigned.get(stored) ?? NOTHING_ASSIGNED,
            owned: owned.get(stored) ?? 0,
            capacities: new Map(inCapacities),
          },
        ];
      }),
    );
  }
}

/** Returns what a capacity counts, as records store it. */
function storedCapacity(
  { objectType, field, values }: Capacity,
  { catalog, directory: { names } }: RouterSnapshot,
): { readonly field: string; readonly values: readonly string[] } {
  const isOfUsers = catalog.get(objectType, field)?.type === 'user';
  return { field, values: isOfUsers ? values.map((email) => names.nameOf(email)) : values };
}

/** Returns the windows in which the user has a limit. */
function windowsOf(user: User, at: Date): Partial<LimitWindows> {
  const windows = limitWindows(user, at);
  const limited = LIMIT_SPANS.filter((span) => user.limits?.[span] !== undefined);
  return Object.fromEntries(limited.map((span) => [span, windows[span]]));
}

/** Returns the e-mails of all users whose counts the decisions rely on. */
export function requiredUsers({ assigned, owned, capacities }: RequiredWorkloads): string[] {
  return [...new Set([...assigned, ...owned, ...[...capacities.values()].flat()])];
}
