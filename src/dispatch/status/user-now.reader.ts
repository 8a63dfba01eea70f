import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { LIMIT_SPANS, nextChange, type User } from '../../directory/index.js';
import {
  assignedIn,
  examineNow,
  NOTHING_ASSIGNED,
  type AssignedInstants,
  type Workloads,
} from '../../engine/index.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { WorkloadReader, type WorkloadReads } from '../decision/workload-reader.js';
import { countedRecords, resolveCapacities } from '../snapshot/router-snapshots.js';

/** What holds of a user now (contract section 6). */
export interface UserNow {
  /** Whether the user can get a record for which no capacity counts. */
  readonly eligible: boolean;
  /** Why not, as traces say it; null for who is eligible. */
  readonly because: string | null;
  /** When `eligible` changes next by the clock alone; null for not within 31 days. */
  readonly until: string | null;
  readonly limits: readonly { readonly period: string; readonly used: number; readonly max: number }[];
  /** Active records by the owner field of each type. */
  readonly owned: Readonly<Record<ObjectType, number>>;
  readonly capacities: readonly { readonly name: string; readonly owned: number; readonly max: number }[];
}

/** Those who are looked at. */
type Named = readonly { readonly id: string; readonly email: string }[];

/** Says who can get records now, until when, and what they have. */
@Injectable()
export class UserNowReader {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly workloads: WorkloadReader,
  ) {}

  /** Returns what holds of users, by id. The number of statements does not depend on that of users. */
  read(account: AccountContext, named: Named): Promise<ReadonlyMap<string, UserNow>> {
    return this.at(account, async (configuration, reads) => {
      const { directory } = configuration;
      const emails = named.map(({ email }) => email);
      const capacities = resolveCapacities(configuration);
      const counted = countedRecords(configuration);
      const workloadsOf = (objectType: ObjectType): Promise<Workloads> => {
        const { ownerField } = OBJECT_TYPE_RULES[objectType];
        const ofType = capacities.filter((capacity) => capacity.objectType === objectType);
        const capped = ofType.map(({ name, maxByEmail }) => {
          return [name, emails.filter((email) => maxByEmail.has(email))] as const;
        });
        const counting = { ...configuration, account, objectType, ownerField, counted, capacities: ofType };
        const needs = { assigned: [], owned: emails, capacities: new Map(capped) };
        return this.workloads.read(counting, needs, reads);
      };
      const users = named.flatMap(({ id }) => directory.user(id) ?? []);
      const [assigned, ...workloads] = await Promise.all([
        this.assignedTo(account, users, reads),
        ...OBJECT_TYPES.map(workloadsOf),
      ]);
      const ofType = new Map(OBJECT_TYPES.map((objectType, n) => [objectType, workloads[n]]));
      const result = new Map<string, UserNow>();
      for (const { id, email } of named) {
        const owned = OBJECT_TYPES.map((type) => [type, ofType.get(type)?.get(email)?.owned ?? 0]);
        result.set(id, {
          ...stateOf(directory.user(id), reads.at, assigned.get(email) ?? NOTHING_ASSIGNED),
          owned: Object.fromEntries(owned) as UserNow['owned'],
          capacities: capacities.flatMap(({ name, objectType, maxByEmail }) => {
            const max = maxByEmail.get(email);
            const inCapacity = ofType.get(objectType)?.get(email)?.capacities.get(name) ?? 0;
            return max === undefined ? [] : [{ name, owned: inCapacity, max }];
          }),
        });
        await breathe();
      }
      return result;
    });
  }

  /** Returns the ids of the active users who can get a record now, or of the others. */
  withState(account: AccountContext, eligible: boolean): Promise<ReadonlySet<string>> {
    return this.at(account, async ({ directory }, reads) => {
      const users = [...directory.users.values()];
      const assigned = await this.assignedTo(account, users, reads);
      const found = new Set<string>();
      for (const user of users) {
        const because = examineNow(user, reads.at, assigned.get(user.email) ?? NOTHING_ASSIGNED);
        if ((because === null) === eligible) found.add(user.id);
        await breathe();
      }
      return found;
    });
  }

  /** Reads by the configuration of now: a switch is shown as it is, and not as it was two seconds ago. */
  private at<T>(
    account: AccountContext,
    read: (configuration: AccountConfiguration, reads: WorkloadReads) => Promise<T>,
  ): Promise<T> {
    return this.configurations.use(account, async (configuration) => {
      if (!(await this.configurations.isCurrent(account, configuration))) return OUTDATED;
      return read(configuration, { db: this.database.for(account), at: new Date(), until: null });
    });
  }

  /** Reads the newest assignments of those who have limits, by e-mail. */
  private assignedTo(account: AccountContext, users: readonly User[], reads: WorkloadReads) {
    const limited = users.filter(({ limits }) => LIMIT_SPANS.some((span) => limits?.[span] !== undefined));
    return this.workloads.readAssigned(account, limited, reads);
  }
}

/** Says whether a user is eligible. @param user undefined for who is archived */
function stateOf(
  user: User | undefined,
  at: Date,
  instants: AssignedInstants,
): Pick<UserNow, 'eligible' | 'because' | 'until' | 'limits'> {
  const because = examineNow(user, at, instants);
  const change = user && nextChange(user, at, instants.newest);
  return {
    eligible: because === null,
    because,
    until: change === undefined ? null : new Date(change).toISOString(),
    limits: LIMIT_SPANS.flatMap((period) => {
      const max = user?.limits?.[period];
      return max === undefined ? [] : [{ period, used: assignedIn(instants, period), max }];
    }),
  };
}
