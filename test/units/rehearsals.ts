import type { AccountsRepository } from '../../src/accounts/index.js';
import type { Database } from '../../src/database/index.js';
import type { Decider } from '../../src/dispatch/decision/decider.js';
import { Rehearsals } from '../../src/dispatch/simulation/rehearsals.js';
import type { DispatchLoader } from '../../src/dispatch/transaction/dispatch-loader.js';
import type { FakeDecider } from './fake-decider.js';
import type { FakeRows } from './fake-rows.js';
import { NO_REFERENCES, VALIDATOR } from './no-references.js';

/** The transaction in which rehearsals of tests read all, as of one instant. */
export const SNAPSHOT = {
  for: (): unknown => SNAPSHOT,
  transaction: (work: (tx: unknown) => unknown, options: unknown): unknown => {
    expect(options).toMatchObject({ isolation: 'REPEATABLE READ', readOnly: true });
    return work(SNAPSHOT);
  },
} as unknown as Database;

/** Rehearsals on rows and decisions of a test. */
export const rehearsals = (rows: FakeRows, decider: FakeDecider): Rehearsals =>
  new Rehearsals(
    SNAPSHOT,
    rows as unknown as AccountsRepository,
    rows as unknown as DispatchLoader,
    NO_REFERENCES,
    decider as unknown as Decider,
    VALIDATOR,
  );
