import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/http.js';
import { newId } from '../../database/index.js';
import {
  RoutersRepository,
  RouterVersionReader,
  routerView,
  type RouterEntity,
  type RouterView,
} from '../../routers/index.js';
import { ChangesService } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { foundRow, requireArchivable, requireChangeable } from '../change/managed-row.js';
import { RouterContents, type Surroundings } from './router-contents.js';
import { RouterDrafter } from './router-drafter.js';
import { RouterPublisher, type EditedRouter } from './router-publisher.js';
import type { SentRouter } from './sent-router.js';

/** A router, and what a request wants of it. */
interface Wanted<What> {
  readonly id: string;
  readonly what: What;
}

/** What is shown of a router that has changed. */
type Shown = 'live' | 'pending' | 'archived';

type Edit = (change: ConfigurationChange, edited: EditedRouter) => Promise<void>;

/**
 * Manages the routers of an account (contract section 6). Every method throws 400 listing what is refused,
 * 404 for an unknown router, and 409 for an archived one.
 */
@Injectable()
export class RoutersManagementService {
  constructor(
    private readonly changes: ChangesService,
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionReader,
    private readonly contents: RouterContents,
    private readonly drafter: RouterDrafter,
    private readonly publisher: RouterPublisher,
  ) {}

  /** Creates a router as a draft. @throws 409 where the name is taken */
  create(client: Caller, sent: SentRouter): Promise<RouterView> {
    return this.changes.change(client, async (change) => {
      const around = await this.contents.load(change);
      const id = newId();
      await this.drafter.create(change, { id, sent, around });
      return this.view(change, around, { id, shown: 'live' });
    });
  }

  /** Changes the draft. @returns the draft @throws 409 where the name is taken */
  update(client: Caller, { id, what: sent }: Wanted<SentRouter>): Promise<RouterView> {
    const work: Edit = (change, edited) => this.drafter.change(change, edited, sent);
    return this.edit(client, { id, what: work }, 'pending');
  }

  /** As RouterPublisher. @returns what is live */
  publish(client: Caller, { id, what: note }: Wanted<string | null>): Promise<RouterView> {
    return this.edit(client, { id, what: (change, edited) => this.publisher.publish(change, edited, note) });
  }

  /** As RouterPublisher. */
  rollBack(client: Caller, { id, what: version }: Wanted<number>): Promise<RouterView> {
    return this.edit(client, {
      id,
      what: (change, edited) => this.publisher.rollBack(change, edited, version),
    });
  }

  /** As RouterPublisher. */
  unpublish(client: Caller, id: string): Promise<RouterView> {
    return this.edit(client, { id, what: (change, edited) => this.publisher.unpublish(change, edited) });
  }

  /** As RouterPublisher. @returns what is live */
  discard(client: Caller, id: string): Promise<RouterView> {
    return this.edit(client, { id, what: (change, edited) => this.publisher.discard(change, edited) });
  }

  /** Archives a router. @throws 404 also for one that is archived */
  archive(client: Caller, id: string): Promise<RouterView> {
    const work: Edit = (change, edited) => this.publisher.archive(change, edited, client.clientId);
    return this.edit(client, { id, what: work }, 'archived');
  }

  private edit(client: Caller, { id, what: work }: Wanted<Edit>, shown: Shown = 'live'): Promise<RouterView> {
    return this.changes.change(client, async (change) => {
      const router = await this.find(change, id);
      const require = shown === 'archived' ? requireArchivable : requireChangeable;
      require('router', router);
      const around = await this.contents.load(change);
      await work(change, { router, around });
      return this.view(change, around, { id: router.id, shown });
    });
  }

  private async view(
    change: ConfigurationChange,
    { directory }: Surroundings,
    { id, shown }: { readonly id: string; readonly shown: Shown },
  ): Promise<RouterView> {
    const row = await this.find(change, id);
    const isPending = shown === 'pending' && (row.draft ?? null) !== null;
    const asked = { router: row, version: isPending ? 'draft' : 'live' } as const;
    return routerView(await this.versions.read(change.tx, change.account, asked), directory);
  }

  private find({ tx, account }: ConfigurationChange, id: string): Promise<RouterEntity> {
    return foundRow('router', id, () => this.routers.findWithDraft(tx, account, id));
  }
}
