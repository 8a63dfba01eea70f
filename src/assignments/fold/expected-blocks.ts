import { timeOfId } from '../../database/index.js';
import type { FoldSizes } from './fold.statements.js';

const ANY_ROUTER = '00000000-0000-0000-0000-000000000000';
const ANY_USER = '';

/** A series as its blocks describe it. */
export interface SeriesRow {
  readonly router_id: string;
  readonly user_email: string;
  readonly blocks: number;
  /** The entries of its blocks together, with those that were dropped. */
  readonly entries: number;
  /** Number of entries at the end of its last block. */
  readonly end: number;
  /** Number of its entries that were dropped. */
  readonly dropped: number;
}

/** How far the log of an account is folded; see AssignmentFoldEntity. */
export interface FoldRow {
  readonly last_id: string;
  readonly late_ms: number | null;
  readonly early_ms: number | null;
}

/** An entry of the log, as far as blocks depend on it. */
export interface EntryRow {
  readonly id: string;
  readonly router_id: string;
  readonly user_email: string | null;
  readonly created_at: Date;
}

/** A block as it should be. */
export interface BlockStart {
  readonly routerId: string;
  readonly user: string;
  readonly before: number;
  readonly firstId: string;
}

interface Series {
  /** With those that were dropped. */
  entries: number;
  readonly dropped: number;
  readonly size: number;
}

/** The blocks that a log should have, found from its entries one by one. */
export class ExpectedBlocks {
  private readonly series = new Map<string, Series>();
  private late = 0;
  private early = 0;

  /** @param rows the series as their blocks describe them; only what was dropped is taken from them */
  constructor(
    private readonly sizes: FoldSizes,
    private readonly rows: readonly SeriesRow[],
  ) {
    for (const { router_id: router, user_email: user, dropped } of rows) {
      if (dropped > 0) this.series.set(keyOf(router, user), this.newSeries(user, dropped));
    }
  }

  /** Adds the next entry. @returns the blocks that begin with it */
  add({ id, router_id: router, user_email: user, created_at }: EntryRow): BlockStart[] {
    const lateness = timeOfId(id) - created_at.getTime();
    this.late = Math.max(this.late, lateness);
    this.early = Math.max(this.early, -lateness);
    const keys = [
      [ANY_ROUTER, ANY_USER],
      [router, ANY_USER],
    ];
    if (user !== null) keys.push([ANY_ROUTER, user], [router, user]);
    return keys.flatMap(([routerId = '', of = '']) => {
      const before = this.count(routerId, of);
      return before === undefined ? [] : [{ routerId, user: of, before, firstId: id }];
    });
  }

  /** Counts the series and instants that differ from what is kept. */
  differences({ late_ms, early_ms }: FoldRow): number {
    const left = new Map(this.series);
    const wrong = this.rows.filter(({ router_id, user_email, blocks, entries, end }) => {
      const key = keyOf(router_id, user_email);
      const series = left.get(key);
      left.delete(key);
      if (series === undefined) return true;
      // A block goes when all of its entries are dropped.
      const gone = Math.floor(series.dropped / series.size);
      return (
        entries !== series.entries - gone * series.size ||
        end !== series.entries ||
        blocks !== Math.ceil(series.entries / series.size) - gone
      );
    });
    const times = (late_ms ?? 0) < this.late || (early_ms ?? 0) < this.early ? 1 : 0;
    return wrong.length + left.size + times;
  }

  /** Counts an entry of a series. @returns the number before it, where a block begins with it */
  private count(routerId: string, user: string): number | undefined {
    const key = keyOf(routerId, user);
    const series = this.series.get(key) ?? this.newSeries(user, 0);
    this.series.set(key, series);
    series.entries += 1;
    return (series.entries - 1) % series.size === 0 ? series.entries - 1 : undefined;
  }

  private newSeries(user: string, dropped: number): Series {
    return { entries: dropped, dropped, size: user === ANY_USER ? this.sizes.others : this.sizes.user };
  }
}

function keyOf(routerId: string, user: string): string {
  return `${routerId} ${user}`;
}
