import { Injectable } from '@nestjs/common';
import { homeId, homeRow, type AccountContext } from '../accounts/index.js';
import { butOnCluster, Database, isOutage, onCluster } from '../database/index.js';

/** What a process tells the others of the minute of a client, or of an account. */
export interface UsageReport extends AccountContext {
  /** A client of the account, or the account itself. */
  readonly subjectId: string;
  /** Requests since the report before. */
  readonly requests: number;
  /** Milliseconds until the minute ends. */
  readonly left: number;
}

/** What all processes have counted together. */
export type SharedUsage = Pick<UsageReport, 'subjectId' | 'requests' | 'left'>;

/** Rows are locked in the order of their keys, so that processes do not wait for each other in a circle. */
const ADD = {
  name: 'request_counts_add',
  text: `INSERT INTO request_counts AS known (account_id, subject_id, requests, ends_at)
    SELECT account_id, subject_id, requests, clock_timestamp() + make_interval(secs => left_ms / 1000.0)
    FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) AS r (account_id, subject_id, requests, left_ms)
    ORDER BY account_id, subject_id
    ON CONFLICT (account_id, subject_id) DO UPDATE SET
      requests = excluded.requests + CASE WHEN known.ends_at > clock_timestamp() THEN known.requests ELSE 0 END,
      ends_at = CASE WHEN known.ends_at > clock_timestamp() THEN known.ends_at ELSE excluded.ends_at END
    RETURNING subject_id AS "subjectId", requests,
      extract(epoch FROM ends_at - clock_timestamp())::float8 * 1000 AS left`,
};

const IS_OVER = `ends_at < now() - interval '1 minute'`;

/** It waits for no lock, so it never takes part in a deadlock; on a cluster, the next one succeeds. */
const PRUNE = {
  name: 'request_counts_prune',
  text: `DELETE FROM request_counts WHERE ${butOnCluster(`(account_id, subject_id) IN (
      SELECT account_id, subject_id FROM request_counts WHERE ${IS_OVER}
      LIMIT 10000 FOR UPDATE SKIP LOCKED)`)}${onCluster(IS_OVER)}
    RETURNING subject_id`,
};

/** As ADD, for the account $1 of a cluster: $2 subjects, $3 requests and $4 milliseconds left of each. */
const END_MINUTES = {
  name: 'request_counts_end',
  text: `DELETE FROM request_counts WHERE account_id = $1 AND subject_id = ANY ($2::uuid[]) AND ends_at <= now()`,
};
const ADD_OF_ACCOUNT = {
  name: 'request_counts_add_of_account',
  text: `WITH added AS (INSERT INTO request_counts AS known (account_id, subject_id, requests, ends_at)
      SELECT ${homeId('$1')}, r.subject_id, r.requests, now() + make_interval(secs => r.left_ms / 1000.0)
      FROM unnest($2::uuid[], $3::int[], $4::int[]) AS r (subject_id, requests, left_ms) ${homeRow('$1')}
      ORDER BY r.subject_id
      ON CONFLICT (account_id, subject_id) DO UPDATE SET requests = known.requests + excluded.requests
      RETURNING subject_id, requests, ends_at)
    SELECT subject_id AS "subjectId", requests, extract(epoch FROM ends_at - now())::float8 * 1000 AS left FROM added`,
};

/** Reads and writes what all processes have counted together. */
@Injectable()
export class RequestCountsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds reports of this process to the counts, and returns the sums; on a cluster without those of accounts
   * whose node is away.
   */
  async add(reports: readonly UsageReport[]): Promise<SharedUsage[]> {
    if (this.database.isDistributed) {
      const accounts = [...new Set(reports.map(({ accountId }) => accountId))];
      const added = accounts.map((id) =>
        this.addOf(
          id,
          reports.filter(({ accountId }) => accountId === id),
        ),
      );
      const sums = await Promise.allSettled(added);
      const failed = sums.find((each) => each.status === 'rejected' && !isOutage(each.reason));
      if (failed?.status === 'rejected') throw failed.reason;
      return sums.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    }
    return this.database.query<SharedUsage>(ADD, [
      reports.map(({ accountId }) => accountId),
      reports.map(({ subjectId }) => subjectId),
      reports.map(({ requests }) => requests),
      reports.map(({ left }) => left),
    ]);
  }

  private addOf(accountId: string, reports: readonly UsageReport[]): Promise<SharedUsage[]> {
    const subjects = reports.map(({ subjectId }) => subjectId);
    const requests = reports.map((report) => report.requests);
    const left = reports.map((report) => report.left);
    return this.database.for({ accountId }).transaction(async (tx) => {
      await tx.query(END_MINUTES, [accountId, subjects]);
      return tx.query<SharedUsage>(ADD_OF_ACCOUNT, [accountId, subjects, requests, left]);
    });
  }

  /** Deletes counts whose minute ended more than a minute ago. @returns how many */
  async prune(): Promise<number> {
    return (await this.database.query(PRUNE, [])).length;
  }
}
