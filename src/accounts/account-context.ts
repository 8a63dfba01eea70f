/**
 * The account on whose behalf something runs. It is the first argument of every service and repository
 * method, so that no statement can omit the account.
 */
export interface AccountContext {
  readonly accountId: string;
}
