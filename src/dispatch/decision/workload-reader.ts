import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { AssignmentsRepository, type NewestRange } from '../../assignments/index.js';
import type { Queryable } from '../../database/index.js';
import { LIMIT_SPANS, limitWindows, type User } from '../../directory/index.js';
import {
  NOTHING_ASSIGNED,
  type AssignedInstants,
  type Capacity,
  type Needs,
  type Workloads,
} from '../../engine/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';

const NOBODY_OWNS: ReadonlyMap<string, number> = new Map();

/** What tells which records of users count. */
type CountedSnapshot = Pick<
  RouterSnapshot,
  'account' | 'version' | 'objectType' | 'ownerField' | 'capacities' | 'counted' | 'directory' | 'catalog'
>;

/** Where workloads are read, and as of which instant. */
export interface WorkloadReads {
  readonly db: Queryable;
  /** The instant of the decision. */
  readonly at: Date;
  /** Assignments after this instant do not count. Null counts all that is committed. */
  readonly until: Date | null;
  /** How many of the assignments the decisions may return. Default: 0. */
  readonly mayReturn?: number;
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
    snapshot: CountedSnapshot,
    required: Omit<Needs, 'rotations'>,
    reads: WorkloadReads,
  ): Promise<Workloads> {
    const { account, directory, objectType, ownerField } = snapshot;
    const nameOf = (email: string): string => directory.names.nameOf(email);
    const count = (emails: readonly string[], having?: CountedValues) => {
      const query = { objectType, ownerField, owners: emails.map(nameOf), ...(having && { having }) };
      return emails.length === 0 ? NOBODY_OWNS : this.owned.count(reads.db, account, query);
    };
    this.owned.need(account, snapshot);
    const limited = required.assigned.flatMap((email) => directory.users.get(email) ?? []);
    const capacities = snapshot.capacities.filter(({ name }) => required.capacities.has(name));
    const [assigned, owned, ...inCapacity] = await Promise.all([
      this.readAssigned(account, limited, reads),
      count(required.owned),
      ...capacities.map((capacity) =>
        count(required.capacities.get(capacity.name) ?? [], storedCapacity(capacity, snapshot)),
      ),
    ]);
    return new Map(
      requiredUsers(required).map((email) => {
        const stored = nameOf(email);
        const counts = capacities.map(({ name }, n) => [name, inCapacity[n]?.get(stored) ?? 0] as const);
        const instants = assigned.get(email) ?? NOTHING_ASSIGNED;
        return [
          email,
          { assigned: instants, owned: owned.get(stored) ?? 0, capacities: new Map(counts) },
        ] as const;
      }),
    );
  }

  /** Reads the newest assignments of users with limits, by e-mail. */
  async readAssigned(
    account: AccountContext,
    users: readonly User[],
    { db, at, until, mayReturn = 0 }: WorkloadReads,
  ): Promise<ReadonlyMap<string, AssignedInstants>> {
    if (users.length === 0) return new Map();
    const windows = new Map(users.map((user) => [user, limitWindows(user, at)]));
    const ranges = new Map(
      [...windows].map(([user, since]) => [user.id, rangeOf(user, { since, mayReturn })]),
    );
    const newest = await this.assignments.newest(db, account, { ranges, until });
    return new Map(
      [...windows].map(([{ id, email }, since]) => [email, { newest: newest.get(id) ?? [], since }]),
    );
  }
}

/** What a capacity counts, as records store it. */
interface CountedValues {
  readonly field: string;
  readonly values: readonly string[];
}

function storedCapacity(
  { objectType, field, values }: Capacity,
  { catalog, directory: { names } }: CountedSnapshot,
): CountedValues {
  const isOfUsers = catalog.get(objectType, field)?.type === 'user';
  return { field, values: isOfUsers ? values.map((email) => names.nameOf(email)) : values };
}

/** Returns which assignments a user's limits depend on. */
function rangeOf(
  { limits }: User,
  { since, mayReturn }: Pick<AssignedInstants, 'since'> & { readonly mayReturn: number },
): NewestRange {
  const limited = LIMIT_SPANS.filter((span) => limits?.[span] !== undefined);
  return {
    since: new Date(Math.min(...limited.map((span) => since[span]))),
    most: Math.max(...limited.map((span) => limits?.[span] ?? 0)) + mayReturn,
  };
}

/** Returns the e-mails of all users whose counts the decisions rely on. */
export function requiredUsers({ assigned, owned, capacities }: Omit<Needs, 'rotations'>): string[] {
  return [...new Set([...assigned, ...owned, ...[...capacities.values()].flat()])];
}
