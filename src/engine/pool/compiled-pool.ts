/** A user in the pool. */
export interface PoolSeat {
  /** Id of the user where the configuration gives one. */
  readonly id: string | null;
  /** Lower case. */
  readonly email: string;
  /** Configured percentage in a unit common to the pool. */
  readonly portion: bigint;
}

/** A team that takes turns as one; its members all have the same portion. */
export interface PoolGroup {
  /** `team:<id>`, or `team:<name>` where the configuration gives no id. */
  readonly key: string;
  readonly name: string;
  readonly portion: bigint;
  readonly seats: readonly PoolSeat[];
}

/** A pool in which turns go user by user: everyone once, those listed directly first. */
export interface UserPool {
  readonly rotationType: 'users';
  readonly seats: readonly PoolSeat[];
}

/** A pool in which turns go team by team, then by member; a user listed directly is a team of one. */
export interface TeamPool {
  readonly rotationType: 'teams';
  readonly singles: readonly PoolSeat[];
  readonly groups: readonly PoolGroup[];
}

/** Those who can get a record, as the rotation type arranges them. */
export type CompiledPool = UserPool | TeamPool;
