import type { User } from '../../src/directory/user.js';
import { limitWindows } from '../../src/directory/limits/limit-windows.js';
import { decide } from '../../src/engine/decision/decide.js';
import type { CompiledRouter } from '../../src/engine/decision/plan.js';
import { type Decision, applicableCapacities } from '../../src/engine/model/decision.js';
import type { Needs } from '../../src/engine/decision/book.js';
import type { RotationState } from '../../src/engine/model/rotation.js';
import type { RouterConfiguration } from '../../src/engine/model/router-configuration.js';
import {
  type Capacity,
  NOTHING_ASSIGNED,
  type AssignedInstants,
  type Workload,
} from '../../src/engine/model/workload.js';
import { contact, engine, fields, input, NOON } from './engine-fixtures.js';

/**
 * Dispatches new records, stores rotation states and assignments as a database does, and counts for a
 * decision only the workloads that the engine requires.
 */
export class TestDispatcher {
  at = NOON;
  /** One state per rotation key, as the rows of a table. */
  readonly states = new Map<string, RotationState>();
  readonly log: { readonly email: string; readonly at: number }[] = [];
  /** Owner and stored values of each record. */
  readonly records: { readonly email: string; readonly values: Readonly<Record<string, string>> }[] = [];
  private compiled: { readonly from: RouterConfiguration; readonly router: CompiledRouter } | undefined;

  constructor(
    public config: RouterConfiguration,
    public users: readonly User[],
    private readonly capacities: readonly Capacity[] = [],
  ) {}

  /** Dispatches a new record with the given stored values. */
  next(values: Readonly<Record<string, string>> = {}): Decision {
    const users = new Map(this.users.map((each) => [each.email, each]));
    const record = contact(values);
    const { capacities, at } = this;
    const routed = engine.route(this.router, record);
    const ask = { router: this.router, record, routed, matchedOwner: null };
    const decision = decide(
      routed,
      engine.extensions.checks,
      input({
        record,
        users,
        rotations: this.states,
        at,
        capacities,
        workloads: this.count(engine.needs([ask], { users, capacities }), users),
      }),
    );
    if (decision.assigned && !decision.unchanged) {
      const { turn, rotation } = decision;
      if (turn !== null && rotation !== null) this.states.set(turn.rotationKey, rotation);
      this.log.push({ email: decision.user, at: at.getTime() });
      this.records.push({ email: decision.user, values });
    }
    return decision;
  }

  /** First parts of the e-mails of the users who get the next records; `-` for nobody. */
  take(count: number, values: Readonly<Record<string, string>> = {}): string {
    const names = Array.from({ length: count }, () => {
      const decision = this.next(values);
      return decision.assigned ? decision.user.split('@')[0] : '-';
    });
    return names.join(' ');
  }

  /** Records owned by each user, in the order of the users. */
  get owned(): number[] {
    return this.users.map(({ email }) => this.records.filter((record) => record.email === email).length);
  }

  get router(): CompiledRouter {
    if (this.compiled?.from !== this.config) {
      this.compiled = { from: this.config, router: engine.compile(this.config, fields) };
    }
    return this.compiled.router;
  }

  private count(needs: Needs, users: ReadonlyMap<string, User>): ReadonlyMap<string, Workload> {
    const emails = [...needs.assigned, ...needs.owned, ...[...needs.capacities.values()].flat()];
    return new Map(
      emails.map((email) => {
        const own = this.records.filter((record) => record.email === email);
        const capacities = this.capacities.filter(({ name }) => needs.capacities.get(name)?.includes(email));
        const workload: Workload = {
          assigned: this.assigned(needs.assigned.includes(email) ? users.get(email) : undefined),
          owned: needs.owned.includes(email) ? own.length : 0,
          capacities: new Map(
            capacities.map((capacity) => [
              capacity.name,
              own.filter(({ values }) => applicableCapacities([capacity], contact(values)).length > 0).length,
            ]),
          ),
        };
        return [email, workload];
      }),
    );
  }

  private assigned(user: User | undefined): AssignedInstants {
    if (user === undefined) return NOTHING_ASSIGNED;
    return {
      newest: this.log.flatMap(({ email, at }) => (email === user.email ? [at] : [])).sort((a, b) => b - a),
      since: limitWindows(user, this.at),
    };
  }
}

/** Moves the clock of a dispatcher. */
export function pass(dispatcher: TestDispatcher, milliseconds: number): void {
  dispatcher.at = new Date(dispatcher.at.getTime() + milliseconds);
}
