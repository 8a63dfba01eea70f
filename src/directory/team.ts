/** A named group of users; members in the order the configuration lists them. */
export interface Team {
  readonly id: string;
  /** Unique in the account. */
  readonly name: string;
  /** Ids of the users. */
  readonly memberIds: readonly string[];
}
