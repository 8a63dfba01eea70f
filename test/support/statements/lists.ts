/** What is allowed, and why. */
export interface Listed {
  /** A name, or the beginning of names or of a text with `*` behind it. */
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
export const EVERY_SHARD: readonly Listed[] = [];

/** What is not mended yet. `rule` is that of the finding. */
export const KNOWN: readonly (Listed & { readonly rule: string })[] = [];
