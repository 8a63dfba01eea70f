/**
 * The advisory locks of this service: SQL expressions for their keys, for `pg_advisory_xact_lock` and its
 * shared form. A transaction that takes several locks takes them in the order of this file, and then that of
 * the row of the account (ADR 4), so that no two transactions wait for each other. If two keys collide, one
 * transaction waits for another without need. Releases that run at the same time must use the same keys.
 */
const key = (kind: string, value: string): string =>
  `hashtextextended('${kind}', 0) # hashtextextended(${value}, 0)`;

/**
 * Held by a transaction that creates an account or changes its configuration, from its beginning.
 * @param slug SQL of the slug
 */
export const slugLock = (slug: string): string => key('slug', slug);

/**
 * Held by a transaction that does a request with an idempotency key. Others do not wait for it.
 * @param account SQL of the account's id
 * @param client SQL of the client's id
 * @param requestKey SQL of the idempotency key
 */
export const requestLock = (account: string, client: string, requestKey: string): string =>
  key('request', `${account}::text || ${client} || ' ' || ${requestKey}`);

/**
 * Held by a transaction while an import finds records on which a router has not run, and runs it on them.
 * Nothing that holds another lock waits for it.
 * @param account SQL of the account's id
 * @param router SQL of the router's id
 */
export const importLock = (account: string, router: string): string =>
  key('import', `${account}::text || ${router}::text`);

/**
 * Held by a transaction that counts the records of a type for counters. Others do not wait for it.
 * @param account SQL of the account's id
 * @param objectType SQL of the object type
 */
export const countLock = (account: string, objectType: string): string =>
  key('count', `${account}::text || ${objectType}`);

/** Held by a session that migrates the database, or dumps it (shared). */
export const MIGRATION_LOCK = 7_310_463_122;
