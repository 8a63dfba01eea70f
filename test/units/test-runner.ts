import { ReturnedAssignmentsRepository } from '../../src/assignments/index.js';
import { FakeConfigurations } from './configuration.js';
import type { AccountConfiguration } from '../../src/configuration/index.js';
import type { Database } from '../../src/database/index.js';
import { FakeDatabase } from './fake-database.js';
import { Metrics } from '../../src/metrics/index.js';
import { storedContact } from './stored-contact.js';
import type { Decider } from '../../src/dispatch/decision/decider.js';
import { AssignmentHooks } from '../../src/dispatch/transaction/assignment-hooks.js';
import { AssignmentWriter } from '../../src/dispatch/transaction/assignment-writer.js';
import { DecisionMetrics } from '../../src/dispatch/transaction/decision-metrics.js';
import type { DecisionsRepository } from '../../src/dispatch/transaction/decisions.repository.js';
import { DispatchLoader } from '../../src/dispatch/transaction/dispatch-loader.js';
import { DispatchRunner } from '../../src/dispatch/transaction/dispatch-runner.js';
import type { DispatchRepository } from '../../src/dispatch/transaction/dispatch.repository.js';
import type { Left, Outcome } from '../../src/dispatch/transaction/run.js';
import { ReturnsReader } from '../../src/dispatch/transaction/returns-reader.js';
import { ACME, assigned, REFUSED, snapshots } from './decisions.js';
import { FakeDecider } from './fake-decider.js';
import { FakeDispatches } from './fake-dispatches.js';

/** A runner on a fake database with the contacts a, b and c, all of which ada gets. */
export class TestRunner {
  readonly database = new FakeDatabase();
  readonly dispatches = new FakeDispatches(this.database);
  /** Records that nobody gets. */
  refuses: readonly string[] = [];
  readonly decider = new FakeDecider(({ id }) =>
    this.refuses.includes(id) ? REFUSED : assigned('ada@acme.test'),
  );
  readonly hooks = new AssignmentHooks();
  private readonly returned = new ReturnedAssignmentsRepository();
  readonly configurations: FakeConfigurations;
  readonly runner: DispatchRunner;

  constructor(configuration: AccountConfiguration) {
    for (const id of ['a', 'b', 'c']) this.dispatches.records.set(id, storedContact(id));
    this.configurations = new FakeConfigurations(configuration);
    const reads = this.dispatches as unknown as DispatchRepository;
    this.runner = new DispatchRunner(
      this.database as unknown as Database,
      new DispatchLoader(reads, snapshots(), this.hooks, new ReturnsReader(this.returned)),
      this.configurations.cache,
      this.decider as unknown as Decider,
      new AssignmentWriter(
        this.dispatches as unknown as DecisionsRepository,
        this.hooks,
        new DecisionMetrics(new Metrics({}), { METRICS_ROUTERS: 0 }),
      ),
    );
  }

  /** What became of each record, in short, given as the router and the record: `R a`. */
  async run(runs: readonly string[], locking = { waits: false }): Promise<unknown[]> {
    const asked = runs.map((each) => {
      const [routerId = '', objectId = ''] = each.split(' ');
      return { routerId, objectId };
    });
    return (await this.runner.run(ACME, asked, locking)).map(inShort);
  }
}

function inShort(outcome: Outcome | Left): unknown {
  if (typeof outcome === 'string') return outcome;
  if (!outcome.ok) return outcome.error.status;
  const { result } = outcome;
  return result.success ? `${result.user} ${result.assignment_id}` : result.reason;
}
