/** Fragments of SQL for statements of other rooms on `routers`. Parameters are SQL expressions. */

/** The name of a router, archived or not; null for an unknown one. */
export const routerName = (account: string, id: string): string =>
  `(SELECT router.name FROM routers router WHERE router.account_id = ${account} AND router.id = ${id})`;
