/**
 * The advisory locks of this service: SQL expressions for their keys, for `pg_advisory_xact_lock` and its shared form.
 * A transaction takes several in the order in which they stand here, so that no two wait for each other. Two keys that
 * collide only make one transaction wait for another. Releases that run side by side must agree on the keys.
 */
const key = (kind: string, value: string): string =>
  `hashtextextended('${kind}', 0) # hashtextextended(${value}, 0)`;

/** Who creates an account: one slug at a time. @param slug SQL of the slug */
export const slugLock = (slug: string): string => key('slug', slug);

/** Who changes an account's configuration (exclusive) or decides on it (shared). @param account SQL of the account's id */
export const configurationLock = (account: string): string => key('configuration', `${account}::text`);

/** Who moves a router's rotations. @param account SQL of the account's id @param router SQL of the router's id */
export const routerLock = (account: string, router: string): string =>
  key('router', `${account}::text || ${router}::text`);

/** Who assigns to a user whose counts decide. @param account SQL of the account's id @param email SQL of the e-mail */
export const userLock = (account: string, email: string): string =>
  key('user', `${account}::text || ${email}`);

/** Who migrates the database: a session lock. */
export const MIGRATION_LOCK = 7_310_463_122;
