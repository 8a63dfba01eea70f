import { AssignmentsRepository } from '../../src/assignments/index.js';
import { FakeConfigurations } from './configuration.js';
import type { AccountConfiguration } from '../../src/configuration/index.js';
import type { Database } from '../../src/database/index.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { WriteAuthors } from '../../src/records/index.js';
import { storedContact } from './stored-contact.js';
import type { Decider } from '../../src/dispatch/decision/decider.js';
import { AssignmentHooks } from '../../src/dispatch/transaction/assignment-hooks.js';
import { AssignmentWriter } from '../../src/dispatch/transaction/assignment-writer.js';
import { DecisionMetrics } from '../../src/dispatch/transaction/decision-metrics.js';
import { DispatchLoader } from '../../src/dispatch/transaction/dispatch-loader.js';
import { DispatchRunner } from '../../src/dispatch/transaction/dispatch-runner.js';
import type { Left, Outcome } from '../../src/dispatch/transaction/dispatch-result.js';
import { ACME, assigned, REFUSED, snapshots } from './decisions.js';
import { FakeDecider } from './fake-decider.js';
import { FakeDispatches } from './fake-dispatches.js';

/** A writer of decisions. */
export const writer = (hooks = new AssignmentHooks(), HISTORY: 'on' | 'off' = 'on'): AssignmentWriter =>
  new AssignmentWriter(
    new WriteAuthors({ HISTORY }),
    hooks,
    new DecisionMetrics(new Metrics({}), { METRICS_ROUTERS: 0 }),
  );

/** A runner on a fake database with the contacts a, b and c, all of which ada gets. */
export class TestRunner {
  readonly database = new FakeDispatches();
  readonly dispatches = this.database;
  /** Records that nobody gets. */
  refuses: readonly string[] = [];
  readonly decider = new FakeDecider(({ id }) =>
    this.refuses.includes(id) ? REFUSED : assigned('ada@acme.test'),
  );
  readonly hooks = new AssignmentHooks();
  readonly configurations: FakeConfigurations;
  readonly runner: DispatchRunner;

  constructor(configuration: AccountConfiguration) {
    for (const id of ['a', 'b', 'c']) this.dispatches.records.set(id, storedContact(id));
    this.configurations = new FakeConfigurations(configuration);
    this.runner = new DispatchRunner(
      this.database as unknown as Database,
      new DispatchLoader(snapshots(), this.hooks, new AssignmentsRepository()),
      this.configurations.cache,
      this.decider as unknown as Decider,
      writer(this.hooks),
    );
  }

  /** What became of each record, in short, given as the router and the record: `R a`. */
  async run(runs: readonly string[], locking = { waits: false }): Promise<unknown[]> {
    const asked = runs.map((each) => {
      const [routerId = '', objectId = ''] = each.split(' ');
      return { routerId, objectId };
    });
    return (await this.runner.run(ACME, asked, locking)).map((outcome) => this.inShort(outcome));
  }

  private inShort(outcome: Outcome | Left): unknown {
    if (typeof outcome === 'string') return outcome;
    if (!outcome.ok) return outcome.error.status;
    const { result } = outcome;
    const entry = this.dispatches.entries.get(result.assignment_id);
    return result.success ? `${result.user} ${entry}` : result.reason;
  }
}
