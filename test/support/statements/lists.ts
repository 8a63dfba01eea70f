/** What is allowed, and why. */
export interface Listed {
  /**
   * A name, or a text as the list of a run has it, where there is no name. With `*` behind it, all that begin
   * so.
   */
  readonly statement: string;
  readonly reason: string;
}

/** The tables without an account, which every node has whole. */
export const REFERENCE_TABLES: Readonly<Record<string, string>> = {
  migrations: 'the schema is that of the whole cluster',
  processes: 'a process serves all accounts',
  console_sign_ins: 'who signs in has no account yet',
};

/** Statements that go to all shards on purpose. A request that sends one is not allowed to. */
export const EVERY_SHARD: readonly Listed[] = [
  { statement: 'old_rows_find_*', reason: 'a sweep looks for accounts that have old rows' },
  {
    statement: 'record_counters_find_new',
    reason: 'a job looks for accounts whose records are to be counted',
  },
  { statement: 'record_indexes_drop_unused', reason: 'a job looks after the indexes of all accounts' },
  { statement: 'record_indexes_find_open', reason: 'a job looks for indexes to build' },
  { statement: 'SELECT FROM public.*', reason: 'a load asks whether any table has a row' },
  {
    statement: 'SELECT … FROM "accounts" "AccountEntity" ORDER BY "AccountEntity"."slug" ASC',
    reason: 'the command that lists the accounts',
  },
];

/** What is not mended yet. `rule` is that of the finding. */
export const KNOWN: readonly (Listed & { readonly rule: string })[] = [];
