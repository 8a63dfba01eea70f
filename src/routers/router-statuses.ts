import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database } from '../database/index.js';
import type { Directory } from '../directory/index.js';
import type { FieldCatalog } from '../fields/index.js';
import type { RouterEntity } from './router.entity.js';
import { RoutersRepository } from './routers.repository.js';

/** What rooms that run routers say of one. */
export interface RunningRouter {
  /** Entries of the log of the last 24 hours; `assigned`: also where the record had that owner already. */
  readonly assigned: number;
  readonly refused: number;
  /** Those of seven days in UTC, of which today is the last. */
  readonly assigned_7d: number;
  readonly refused_7d: number;
  /** The largest credit of a member in one of its rotations, of either sign, in turns; null for none. */
  readonly deviation: number | null;
  /** What keeps it, or a rule or step of it, from assigning anybody. */
  readonly warnings: readonly string[];
}

/** A router at a glance (contract section 6). */
export interface RouterStatus extends RunningRouter {
  /** Since when a change waits for its publication; null where none does. */
  readonly draft: { readonly since: string } | null;
}

type ReadRunning = (
  account: AccountContext,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, RunningRouter>>;

/** What keeps a router, or a rule or step of it, from assigning anybody, as all else is configured. */
type Warn = (
  router: RouterEntity,
  configured: { readonly directory: Directory; readonly catalog: FieldCatalog },
) => readonly string[];

/** Reads what routers do now. What runs them says most of it, and registers itself. */
@Injectable()
export class RouterStatuses {
  private readRunning: ReadRunning = () => Promise.resolve(new Map());
  /** Of a router as if it were published. */
  warningsOf: Warn = () => [];

  constructor(
    private readonly database: Database,
    private readonly routers: RoutersRepository,
  ) {}

  register(read: ReadRunning, warn: Warn): void {
    this.readRunning = read;
    this.warningsOf = warn;
  }

  /** Adds their status to the views of routers. */
  async addTo(account: AccountContext, views: readonly { readonly id: string }[]): Promise<void> {
    const ids = views.map(({ id }) => id);
    const db = this.database.for(account);
    const [running, drafts] = await Promise.all([
      this.readRunning(account, ids),
      db.read((reader) => this.routers.draftsSince(reader, account, ids)),
    ]);
    for (const view of views) {
      const since = drafts.get(view.id);
      const status = { ...running.get(view.id), draft: since === undefined ? null : { since } };
      Object.assign(view, { status });
    }
  }
}
