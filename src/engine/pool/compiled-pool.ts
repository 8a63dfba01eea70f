/** A user in the pool. */
export interface PoolSeat {
  /** Id of the user; null if the configuration gives none. */
  readonly id: string | null;
  /** Lower case. */
  readonly email: string;
  /** The configured percentage in a unit common to the pool. */
  readonly portion: bigint;
}

/** A team that takes turns as one. All its members have the same portion. */
export interface PoolGroup {
  /** `team:<id>`, or `team:<name>` if the configuration gives no id. */
  readonly key: string;
  readonly name: string;
  readonly portion: bigint;
  readonly seats: readonly PoolSeat[];
}

/** A pool with turns by user. Each user is in it once, direct users first. */
export interface UserPool {
  readonly rotationType: 'users';
  readonly seats: readonly PoolSeat[];
}

/** A pool with turns by team, then by member. A direct user is a team of one. */
export interface TeamPool {
  readonly rotationType: 'teams';
  readonly singles: readonly PoolSeat[];
  readonly groups: readonly PoolGroup[];
}

/** The users of a pool, arranged for the rotation type. */
export type CompiledPool = UserPool | TeamPool;
