import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { limitWindows, type Directory } from '../../directory/index.js';
import {
  joinRequired,
  type Capacity,
  type RequiredWorkloads,
  type Workload,
  type Workloads,
} from '../../engine/index.js';
import { WorkloadRepository, type Counts, type Ownership } from './workload.repository.js';

const NOTHING = { hour: 0, day: 0, week: 0, month: 0 };
const NONE_ASSIGNED: ReadonlyMap<string, Workload['assigned']> = new Map();
const NONE_OWNED: Counts = new Map();

/** When decisions are made. */
export interface Moment {
  readonly at: Date;
  /** What came later does not count in a simulation; null counts all that is committed. */
  readonly until: Date | null;
}

/** Loads what decisions need to know of users' workloads, and nothing when they need nothing. */
@Injectable()
export class WorkloadsLoader {
  constructor(private readonly workloads: WorkloadRepository) {}

  /** Keeps other routers' dispatches from changing these users' counts until the transaction ends. */
  async lock(tx: Transaction, account: AccountContext, emails: readonly string[]): Promise<void> {
    await this.workloads.lockUsers(tx, account, emails);
  }

  /** The users whose counts decisions rely on, for locking. */
  usersOf(needs: readonly RequiredWorkloads[]): string[] {
    const { assigned, owned, capacities } = joinRequired(needs);
    return [...new Set([...assigned, ...owned, ...[...capacities.values()].flat()])];
  }

  /** The workloads by e-mail of everyone who is needed, as of one instant. */
  async load(
    db: Queryable,
    account: AccountContext,
    ownership: Ownership,
    directory: Directory,
    capacities: readonly Capacity[],
    needs: readonly RequiredWorkloads[],
    { at, until }: Moment,
  ): Promise<Workloads> {
    const needed = joinRequired(needs);
    const windows = new Map(
      needed.assigned.flatMap((email) => {
        const user = directory.users.get(email);
        return user === undefined ? [] : [[email, limitWindows(user, at)] as const];
      }),
    );
    const counted = capacities.flatMap((capacity) => {
      const emails = needed.capacities.get(capacity.name);
      return emails === undefined ? [] : [{ capacity, emails }];
    });
    const [assigned, owned, ...full] = await Promise.all([
      windows.size === 0 ? NONE_ASSIGNED : this.workloads.countAssigned(db, account, windows, until),
      needed.owned.length === 0
        ? NONE_OWNED
        : this.workloads.countOwned(db, account, ownership, needed.owned),
      ...counted.map(({ capacity, emails }) =>
        this.workloads.countInCapacity(db, account, ownership, capacity, emails),
      ),
    ]);
    const inCapacities = counted.map(({ capacity }, index) => [capacity.name, full[index]] as const);
    return new Map(
      this.usersOf([needed]).map((email) => [
        email,
        {
          assigned: assigned.get(email) ?? NOTHING,
          owned: owned.get(email) ?? 0,
          capacities: new Map(inCapacities.map(([name, counts]) => [name, counts?.get(email) ?? 0])),
        },
      ]),
    );
  }
}
