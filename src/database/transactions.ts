import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { Connections } from './connections.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { LONG_LIMITS } from './limits.js';
import type { Outcomes } from './outcomes.js';
import { answerTimeout, limitAnswers } from './pg-internals.js';
import { isConnectionLost } from './sqlstate.js';
import type { TransactionSettings } from './transaction-settings.js';
import { Transaction } from './transaction.js';

/** Runs work in transactions. */
export class Transactions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: Connections,
    private readonly outcomes: Outcomes,
  ) {}

  /**
   * Runs work in a transaction and commits, once. Does not wait for the COMMIT of work that only reads,
   * unless others wait for a connection.
   * @throws DatabaseUnavailableError when nothing is committed because of the connection;
   *   OutcomeUnknownError;
   *   errors of the work
   */
  async run<T>(
    work: (transaction: Transaction) => Promise<T>,
    settings: Omit<TransactionSettings, 'settle'>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const { deadline } = settings;
    const client = await this.connections.takeFor(runner, deadline);
    // All statements have the limit of their connection, those of TypeORM too.
    const restoreLimit = limitAnswers(client, settings.long ? LONG_LIMITS.answer : answerTimeout(client));
    const release = async (): Promise<void> => {
      restoreLimit();
      await runner.release().catch(() => undefined);
    };
    let transaction: Transaction | undefined;
    let result: T;
    try {
      const settle = this.settling(client, deadline);
      transaction = Transaction.begin(runner, client, { ...settings, settle });
      if (!settings.eager) await transaction.begun;
      result = await work(transaction);
      const isRead = settings.readOnly && transaction.isSound;
      const committed = transaction.commit();
      if (isRead && !this.connections.areWaitedFor) {
        // What was read is right whatever becomes of COMMIT.
        void committed
          .catch((error: unknown) => this.connections.failed(client, error, transaction?.isHurried))
          .then(release);
        return result;
      }
      await committed;
    } catch (error) {
      const reported = this.connections.failed(client, error, transaction?.isHurried);
      // The first error is reported. PostgreSQL itself undoes the work where the connection is lost.
      const undone = isConnectionLost(error) ? undefined : transaction?.rollback();
      const released = Promise.resolve(undone).then(release, release);
      // When the request must be answered, the connection goes back to the pool behind it.
      await deadline.wait(released, deadline.left).catch(() => undefined);
      // A COMMIT whose answer was lost does not get here: what became of it is known.
      throw isConnectionLost(error) ? new DatabaseUnavailableError(error, true) : reported;
    }
    await release();
    return result;
  }

  /** Returns a function that finds out what became of a transaction over this connection. */
  private settling(client: PoolClient, deadline: Deadline): TransactionSettings['settle'] {
    const identity = this.connections.identityOf(client);
    return ({ xid, sentAt, find }) => {
      this.connections.discard(client);
      return this.outcomes.ofTransaction({ identity, sentAt, deadline }, xid, find);
    };
  }
}
