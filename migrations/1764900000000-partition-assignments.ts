import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** The indexes of the table. Those of its first partition get names of their own. */
const INDEXES = ['pkey', 'router_idx', 'object_idx', 'user_idx'];

/** The rule that lets the table become a partition without being read under a lock. */
const RULE = 'assignments_until_boundary';

const CREATE_LOG = [
  'CREATE TABLE assignments (LIKE assignments_first INCLUDING DEFAULTS) PARTITION BY RANGE (id)',
  'ALTER TABLE assignments ADD CONSTRAINT assignments_pkey PRIMARY KEY (account_id, id)',
  'CREATE INDEX assignments_router_idx ON assignments (account_id, router_id, id)',
  'CREATE INDEX assignments_object_idx ON assignments (account_id, object_id, id)',
  'CREATE INDEX assignments_user_idx ON assignments (account_id, user_email, id) WHERE user_email IS NOT NULL',
];

const createTraces = (boundary: string): string[] => [
  `CREATE TABLE assignment_traces (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    trace jsonb NOT NULL,
    CONSTRAINT assignment_traces_pkey PRIMARY KEY (account_id, id)
  ) PARTITION BY RANGE (id)`,
  `CREATE TABLE assignment_traces_first PARTITION OF assignment_traces FOR VALUES FROM (MINVALUE) TO ('${boundary}')`,
  `CREATE TABLE assignment_traces_later PARTITION OF assignment_traces FOR VALUES FROM ('${boundary}') TO (MAXVALUE)`,
];

/** Grants on the log, and on what is beside it, what is granted on the table that it was. */
const COPY_GRANTS = `DO $$
  DECLARE granted record;
  BEGIN
    FOR granted IN SELECT grantee, privilege_type, is_grantable
        FROM pg_class, aclexplode(relacl) WHERE oid = 'assignments_first'::regclass AND grantee <> relowner LOOP
      EXECUTE format('GRANT %s ON assignments, assignment_traces, assignment_bases TO %s%s', granted.privilege_type,
        CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE granted.grantee::regrole::text END,
        CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
    END LOOP;
  END $$`;

const CREATE_BASES = `CREATE TABLE IF NOT EXISTS assignment_bases (
    account_id uuid NOT NULL,
    router_id uuid NOT NULL,
    user_email text NOT NULL,
    entries bigint NOT NULL,
    CONSTRAINT assignment_bases_pkey PRIMARY KEY (account_id, router_id, user_email)
  )`;

/**
 * Divides the assignment log by time, which its ids begin with. The table that there is becomes the first
 * partition, up to a boundary at least a month from now. Nothing is copied, and no index is built. The
 * service makes the partitions of later months out of the last one, which has no end, so that no entry is
 * ever without a partition (docs/adr/0018-log-by-months.md). Creates the table of the traces, divided in the
 * same way, and that of the numbers of entries that were dropped, by series.
 *
 * A run that was interrupted leaves a rule that refuses entries from the boundary on: it must be finished
 * within a month.
 */
export class PartitionAssignments1764900000000 implements MigrationInterface {
  name = 'PartitionAssignments1764900000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [CREATE_BASES]);
    const [log] = (await runner.query(
      `SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = 'assignments'::regclass`,
    )) as { partitioned: boolean }[];
    if (log?.partitioned === true) return;
    const boundary = await this.boundary(runner);
    await changeBriefly(runner, [
      `ALTER TABLE assignments DROP CONSTRAINT IF EXISTS ${RULE}`,
      `ALTER TABLE assignments ADD CONSTRAINT ${RULE} CHECK (id < '${boundary}') NOT VALID`,
    ]);
    try {
      await runner.query(`ALTER TABLE assignments VALIDATE CONSTRAINT ${RULE}`);
      await changeBriefly(runner, [
        'LOCK TABLE assignments IN ACCESS EXCLUSIVE MODE',
        'ALTER TABLE assignments RENAME TO assignments_first',
        ...INDEXES.map((name) => `ALTER INDEX assignments_${name} RENAME TO assignments_first_${name}`),
        ...CREATE_LOG,
        `ALTER TABLE assignments ATTACH PARTITION assignments_first FOR VALUES FROM (MINVALUE) TO ('${boundary}')`,
        `ALTER TABLE assignments_first DROP CONSTRAINT ${RULE}`,
        `CREATE TABLE assignments_later PARTITION OF assignments FOR VALUES FROM ('${boundary}') TO (MAXVALUE)`,
        ...createTraces(boundary),
        COPY_GRANTS,
      ]);
    } catch (error) {
      await changeBriefly(runner, [`ALTER TABLE assignments DROP CONSTRAINT IF EXISTS ${RULE}`]);
      throw error;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.startTransaction();
    for (const statement of [
      'LOCK TABLE assignments IN ACCESS EXCLUSIVE MODE',
      'CREATE TABLE assignments_whole (LIKE assignments INCLUDING DEFAULTS)',
      'INSERT INTO assignments_whole SELECT * FROM assignments',
      `UPDATE assignments_whole a SET trace = t.trace FROM assignment_traces t
        WHERE t.account_id = a.account_id AND t.id = a.id`,
      'DROP TABLE assignments, assignment_traces',
      'ALTER TABLE assignments_whole RENAME TO assignments',
      ...CREATE_LOG.slice(1),
      'DROP TABLE assignment_bases',
    ]) {
      await runner.query(statement);
    }
    await runner.commitTransaction();
  }

  /**
   * Returns the first id of a month: of the one after the next, or of a later one where the log has entries
   * of the future.
   */
  private async boundary(runner: QueryRunner): Promise<string> {
    const [row] = (await runner.query(`SELECT greatest(now(), to_timestamp(
        max(('x' || encode(substring(uuid_send(last.id) FOR 6), 'hex'))::bit(48)::bigint) / 1000.0)) AS at
      FROM accounts CROSS JOIN LATERAL (SELECT a.id FROM assignments a
        WHERE a.account_id = accounts.id ORDER BY a.id DESC LIMIT 1) AS last`)) as { at: Date | null }[];
    const at = row?.at ?? new Date();
    const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2);
    const hex = start.toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  }
}
