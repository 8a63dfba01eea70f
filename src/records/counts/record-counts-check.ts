import { Injectable } from '@nestjs/common';
import type { AccountCheck, AccountContext, CheckResult } from '../../accounts/index.js';
import { Database, type Statement, type Transaction } from '../../database/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import { CountersRepository } from './counters.repository.js';
import {
  COUNT_COUNTED,
  FIND_WRONG_BLOCKS,
  FIND_WRONG_OWNED,
  REPAIR_BLOCKS,
  REPAIR_OWNED,
} from './record-counts.statements.js';

/** Compares the counts of records, and of each owner's, with the records: each type in one snapshot. */
@Injectable()
export class RecordCountsCheck implements AccountCheck {
  readonly subject = 'counts of records';

  constructor(
    private readonly database: Database,
    private readonly counters: CountersRepository,
  ) {}

  async compare(account: AccountContext): Promise<CheckResult> {
    let [compared, wrong] = [0, 0];
    for (const type of OBJECT_TYPES) {
      await this.inTransaction(async (tx) => {
        const of = [account.accountId, type];
        const [counted] = await tx.query<{ rows: number }>(COUNT_COUNTED, of);
        compared += counted?.rows ?? 0;
        for (const find of [FIND_WRONG_OWNED, FIND_WRONG_BLOCKS]) wrong += (await tx.query(find, of)).length;
      });
      const counters = await this.counters.compare({ ...account, objectType: type });
      compared += counters.compared;
      wrong += counters.wrong;
    }
    return { compared, wrong };
  }

  /** Writes what is lacking as changes, which need no lock: all that happens meanwhile writes its own. */
  async repair({ accountId }: AccountContext): Promise<void> {
    for (const type of OBJECT_TYPES) {
      const write = (statement: Statement): Promise<unknown> =>
        this.inTransaction((tx) => tx.query(statement, [accountId, type]));
      await write(REPAIR_OWNED);
      await write(REPAIR_BLOCKS);
      await this.counters.repair({ accountId, objectType: type });
    }
  }

  private inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work, { isolation: 'REPEATABLE READ', long: true });
  }
}
