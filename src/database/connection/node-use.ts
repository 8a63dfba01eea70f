// In a file of its own, because whoever imports the package has no types of pg.
/** A node of a cluster that `DATABASE_URL` names, and what this process knows of it. */
export interface NodeUse {
  /** As in `DATABASE_URL`. */
  readonly host: string;
  /** As the cluster calls it. */
  readonly name: string;
  readonly isAway: boolean;
  /** Connections of this process for the accounts that are there, and work that waits for one. */
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}
