/** What is allowed, and why. */
export interface Listed {
  /**
   * A name, or a text as the list of a run has it, where there is no name. With `*` behind it, all that begin
   * so.
   */
  readonly statement: string;
  readonly reason: string;
}

/** The tables that every node has whole. */
export const REFERENCE_TABLES: Readonly<Record<string, string>> = {
  migrations: 'the schema is that of the whole cluster',
  processes: 'a process serves all accounts',
  account_keys: 'leads a slug, a client id or a person to an account',
};

/** Statements that go to all shards on purpose. A request that sends one is not allowed to. */
export const EVERY_SHARD: readonly Listed[] = [
  { statement: 'old_rows_find_*', reason: 'a sweep looks for accounts that have old rows' },
  { statement: 'request_counts_prune', reason: 'a sweep deletes counts of minutes that are over' },
  { statement: 'SELECT id AS id FROM accounts WHERE slug = $1', reason: 'a dump looks for an account' },
  { statement: 'SELECT id AS id, slug AS slug FROM accounts WHERE*', reason: 'a load looks for an account' },
  {
    statement: 'SELECT … FROM "accounts" "AccountEntity" WHERE "AccountEntity"."id" IN*',
    reason: 'a test reads two accounts',
  },
  { statement: 'record_indexes_begin', reason: 'a job begins the indexes that were switched, which are few' },
  {
    statement: 'record_counters_find_new',
    reason: 'a job looks for accounts whose records are to be counted',
  },
  { statement: 'record_indexes_drop_unused', reason: 'a job looks after the indexes of all accounts' },
  { statement: 'record_indexes_find_open', reason: 'a job looks for indexes to build' },
  { statement: 'console_sweep_console_*', reason: 'a sweep deletes links and sessions that are over' },
  { statement: 'sizes_*', reason: 'a job measures nodes and accounts once a minute' },
  { statement: 'SELECT FROM public.*', reason: 'a load asks whether any table has a row' },
  {
    statement: 'SELECT … FROM "accounts" "AccountEntity" ORDER BY "AccountEntity"."slug" ASC',
    reason: 'the command that lists the accounts',
  },
];

/** What is allowed of another rule. */
export interface Exception extends Listed {
  readonly rule: string;
}

/** What does no harm. */
export const HARMLESS: readonly Exception[] = [
  {
    statement: 'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout =*',
    rule: 'plan',
    reason: 'a cluster gets no plan_cache_mode: Transaction leaves it out',
  },
  {
    statement: 'SAVEPOINT part; SET LOCAL lock_timeout =*',
    rule: 'plan',
    reason: 'a cluster gets no plan_cache_mode: Transaction leaves it out',
  },
  {
    statement: 'account_add_keys',
    rule: 'reference',
    reason: 'each node looks for the account of a client id or a person, and new ones are rare',
  },
  {
    statement: 'record_counts_add_lacking',
    rule: 'steps',
    reason: 'a job, or a repair, writes few rows, whose ids no statement may draw on another node',
  },
  {
    statement: 'record_counts_fold',
    rule: 'steps',
    reason: 'a job folds the changes of one account, which no request waits for',
  },
  {
    statement: 'SELECT fill_account_keys($1)',
    rule: 'function',
    reason: 'a load makes what leads to accounts, of all accounts that it has loaded',
  },
  ...['function', 'steps'].map((rule) => ({
    statement: 'request_counts_add',
    rule,
    reason: 'a cluster gets request_counts_add_of_account in its place',
  })),
  ...['function', 'steps'].map((rule) => ({
    statement: 'records_insert_past',
    rule,
    reason: 'only the demo writes records of the past, which no cluster has',
  })),
  {
    statement: 'configuration_change_begin',
    rule: 'node',
    reason: 'the lock is taken in a query on the row of the account, so on its node',
  },
  {
    statement: 'process_beat',
    rule: 'steps',
    reason: 'a process says thrice a minute that it runs, on all nodes',
  },
  {
    statement: 'unique index accounts_slug_key',
    rule: 'schema',
    reason: 'account_keys holds slugs to be unique, and the index of a cluster is none',
  },
];

/** What is not mended yet. */
export const KNOWN: readonly Exception[] = [
  {
    statement: 'dispatch_write_*',
    rule: 'steps',
    reason: 'a dispatch writes six tables in six steps, each on the node of the account',
  },
  {
    statement: 'assignment_days_count',
    rule: 'steps',
    reason: 'a repair of counts, in a step on the node of the account and one behind it',
  },
];
