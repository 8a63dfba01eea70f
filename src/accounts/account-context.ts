/**
 * On whose behalf something happens. It is the first argument of every service and repository method, so that no
 * statement can forget its tenant.
 */
export interface AccountContext {
  readonly accountId: string;
}
