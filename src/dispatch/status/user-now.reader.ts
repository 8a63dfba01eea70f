import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { LIMIT_SPANS, nextChange, type User } from '../../directory/index.js';
import { assignedIn, examineNow, NOTHING_ASSIGNED, type AssignedInstants } from '../../engine/index.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { OwnedRecordsRepository } from '../../records/index.js';
import { storedCapacity, WorkloadReader } from '../decision/workload-reader.js';
import { countedRecords, resolveCapacities } from '../snapshot/account-parts.js';

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
    private readonly owned: OwnedRecordsRepository,
  ) {}

  /** Returns what holds of users, by id. The number of statements does not depend on that of users. */
  read(account: AccountContext, named: Named): Promise<ReadonlyMap<string, UserNow>> {
    return this.configurations.use(account, async (configuration) => {
      // A switch is shown as it is, and not as it was two seconds ago.
      if (!(await this.configurations.isCurrent(account, configuration))) return OUTDATED;
      const { version } = configuration;
      // Without, all records of a user are read for each capacity until a router has run.
      this.owned.need(account, { version, counted: countedRecords(configuration) });
      const at = new Date();
      const users = named.flatMap(({ id }) => configuration.directory.user(id) ?? []);
      const [assigned, owned, capacities] = await Promise.all([
        this.assignedTo(account, users, at),
        this.ownedBy(account, configuration, named),
        this.capacitiesOf(account, configuration, users),
      ]);
      const result = new Map<string, UserNow>();
      for (const { id, email } of named) {
        const user = configuration.directory.user(id);
        const instants = assigned.get(email) ?? NOTHING_ASSIGNED;
        result.set(id, {
          ...stateOf(user, at, instants),
          owned: Object.fromEntries(
            OBJECT_TYPES.map((type, n) => [type, owned[n]?.get(email) ?? 0]),
          ) as UserNow['owned'],
          capacities: capacities.flatMap(({ name, maxByEmail, counts }) => {
            const max = maxByEmail.get(email);
            return max === undefined ? [] : [{ name, owned: counts.get(email) ?? 0, max }];
          }),
        });
        await breathe();
      }
      return result;
    });
  }

  /** Returns the ids of the active users who can get a record now, or of the others. */
  withState(account: AccountContext, eligible: boolean): Promise<ReadonlySet<string>> {
    return this.configurations.use(account, async (configuration) => {
      if (!(await this.configurations.isCurrent(account, configuration))) return OUTDATED;
      const at = new Date();
      const users = [...configuration.directory.users.values()];
      const assigned = await this.assignedTo(account, users, at);
      const found = new Set<string>();
      for (const user of users) {
        const because = examineNow(user, at, assigned.get(user.email) ?? NOTHING_ASSIGNED);
        if ((because === null) === eligible) found.add(user.id);
        await breathe();
      }
      return found;
    });
  }

  /** Reads the newest assignments of those who have limits, by e-mail. */
  private assignedTo(account: AccountContext, users: readonly User[], at: Date) {
    const limited = users.filter(({ limits }) => LIMIT_SPANS.some((span) => limits?.[span] !== undefined));
    return this.workloads.readAssigned(account, limited, { db: this.database.for(account), at, until: null });
  }

  /** Counts the records of each type that users own, by e-mail. */
  private ownedBy(account: AccountContext, { directory: { names } }: AccountConfiguration, named: Named) {
    const owners = named.map(({ email }) => names.nameOf(email));
    return Promise.all(
      OBJECT_TYPES.map(async (objectType) => {
        const { ownerField } = OBJECT_TYPE_RULES[objectType];
        const query = { objectType, ownerField, owners };
        const counts = await this.owned.count(this.database.for(account), account, query);
        return byEmail(counts, names);
      }),
    );
  }

  /** Counts what capacities count of the records that those users own who have a maximum. */
  private async capacitiesOf(
    account: AccountContext,
    configuration: AccountConfiguration,
    users: readonly User[],
  ) {
    const { names } = configuration.directory;
    const counted = resolveCapacities(configuration).map(async (capacity) => {
      const { name, objectType, maxByEmail } = capacity;
      const owners = users
        .filter(({ email }) => maxByEmail.has(email))
        .map(({ email }) => names.nameOf(email));
      if (owners.length === 0) return [];
      const { ownerField } = OBJECT_TYPE_RULES[objectType];
      const query = { objectType, ownerField, owners, having: storedCapacity(capacity, configuration) };
      const counts = await this.owned.count(this.database.for(account), account, query);
      return [{ name, maxByEmail, counts: byEmail(counts, names) }];
    });
    return (await Promise.all(counted)).flat();
  }
}

function byEmail(
  counts: ReadonlyMap<string, number>,
  names: AccountConfiguration['directory']['names'],
): ReadonlyMap<string, number> {
  return new Map([...counts].map(([stored, count]) => [names.emailOf(stored), count]));
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
