import { Injectable } from '@nestjs/common';
import {
  AccountsRepository,
  type AccountCheck,
  type AccountContext,
  type CheckResult,
} from '../accounts/index.js';
import { Database, type Statement, type Transaction } from '../database/index.js';
import { DAY_KEY, entriesByDay } from './assignments.sql.js';

/** The counts that the entries of the account $1 make. */
const EXPECTED = entriesByDay('assignments a WHERE a.account_id = $1');

const COMPARE: Statement = {
  name: 'assignment_days_compare',
  text: `SELECT COALESCE(sum(expected.entries) FILTER (WHERE day = 'infinity'), 0)::int AS compared,
      (count(*) FILTER (WHERE expected.entries IS DISTINCT FROM kept.entries))::int AS wrong
    FROM (${EXPECTED}) AS expected
    FULL JOIN (SELECT * FROM assignment_days WHERE account_id = $1) AS kept USING (${DAY_KEY})`,
};

const FORGET: Statement = {
  name: 'assignment_days_forget',
  text: 'DELETE FROM assignment_days WHERE account_id = $1',
};

const COUNT: Statement = {
  name: 'assignment_days_count',
  text: `INSERT INTO assignment_days (account_id, ${DAY_KEY}, entries) SELECT $1, expected.* FROM (${EXPECTED}) AS expected`,
};

/** Compares the counts of the log with its entries. */
@Injectable()
export class LogCheck implements AccountCheck {
  readonly subject = 'assignment log';

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
  ) {}

  async compare({ accountId }: AccountContext): Promise<CheckResult> {
    const read = { readOnly: true, long: true } as const;
    const [result] = await this.database.transaction(
      (tx) => tx.query<CheckResult>(COMPARE, [accountId]),
      read,
    );
    return result ?? { compared: 0, wrong: 0 };
  }

  /** Counts the entries anew. Dispatches of the account wait meanwhile. */
  async repair(account: AccountContext): Promise<void> {
    const count = async (tx: Transaction): Promise<void> => {
      await this.accounts.lock(tx, account);
      for (const statement of [FORGET, COUNT]) await tx.query(statement, [account.accountId]);
    };
    await this.database.transaction(count, { long: true });
  }
}
