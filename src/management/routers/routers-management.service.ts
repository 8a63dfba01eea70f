import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, isId, newId, type EntityReader } from '../../database/index.js';
import { DirectoryRepository } from '../../directory/index.js';
import { archived } from '../../errors/errors.js';
import {
  idsOf,
  RoutersRepository,
  routerVersion,
  RouterVersionReader,
  routerView,
  withContent,
  withRouterVersion,
  type RouterEntity,
  type RouterView,
  type VersionChoice,
} from '../../routers/index.js';
import { ChangesService, type ChangeOptions, type Tried } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges, type ValueChange } from '../change/value-changes.js';
import { objectNotFound } from '../managed/managed.errors.js';
import { requireCurrent } from '../managed/managed-view.js';
import type { Edit } from '../managed/managed.service.js';
import { RouterContents, routerForm, type RouterContext, type SentRouter } from './router-contents.js';
import { RouterDrafter, type EditedRouter } from './router-drafter.js';
import { RouterPublisher } from './router-publisher.js';

type Answer = Promise<RouterView & Tried>;

/** What is shown of a router that has changed. */
type Shown = 'live' | 'pending' | 'archived';

/**
 * Manages the routers of an account (contract section 6). Methods that change one throw 400 listing what
 * fails, 404 for an unknown router, 409 for an archived one, and 412 where it has none of the versions.
 */
@Injectable()
export class RoutersManagementService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly versions: RouterVersionReader,
    private readonly contents: RouterContents,
    private readonly drafter: RouterDrafter,
    private readonly publisher: RouterPublisher,
  ) {}

  /** Creates a router as a draft. @throws 409 where the name is taken */
  create(client: Caller, { sent, ...options }: ChangeOptions & { readonly sent: SentRouter }): Answer {
    const work = async (change: ConfigurationChange): Promise<RouterView> => {
      const context = await this.contents.load(change);
      const id = newId();
      await this.drafter.create(change, { id, sent, context });
      return this.view(change, context, { id, shown: 'live' });
    };
    return this.changes.change(client, work, options);
  }

  /** Changes the draft. @returns the draft @throws 409 where the name is taken */
  update(client: Caller, { sent, ...edit }: Edit & { readonly sent: SentRouter }): Answer {
    return this.edit(client, { ...edit, shown: 'pending' }, (change, edited) =>
      this.drafter.change(change, edited, sent),
    );
  }

  /** As RouterPublisher. @returns what is live */
  publish(client: Caller, { note, ...edit }: Edit & { readonly note: string | null }): Answer {
    return this.edit(client, edit, (change, edited) => this.publisher.publish(change, edited, note));
  }

  /** As RouterPublisher. */
  rollBack(client: Caller, { version, ...edit }: Edit & { readonly version: number }): Answer {
    return this.edit(client, edit, (change, edited) => this.publisher.rollBack(change, edited, version));
  }

  /** As RouterPublisher. */
  unpublish(client: Caller, edit: Edit): Answer {
    return this.edit(client, edit, (change, edited) => this.publisher.unpublish(change, edited));
  }

  /** As RouterPublisher. @returns what is live */
  discard(client: Caller, edit: Edit): Answer {
    return this.edit(client, edit, (change, edited) => this.publisher.discard(change, edited));
  }

  /** Archives a router. @throws 404 also for one that is archived */
  archive(client: Caller, edit: Edit): Answer {
    return this.edit(client, { ...edit, shown: 'archived' }, (change, edited) =>
      this.publisher.archive(change, edited, client.clientId),
    );
  }

  /** Returns the values in which two versions of a router differ. @throws 404 for an unknown one */
  diff(
    account: AccountContext,
    id: string,
    { from, to }: Readonly<Record<'from' | 'to', VersionChoice>>,
  ): Promise<{ readonly changes: readonly ValueChange[] }> {
    return this.database.for(account).read(async (db) => {
      const router = await this.find(db, account, id);
      const versions = await Promise.all(
        [from, to].map((version) => this.versions.read(db, account, { router, version })),
      );
      const people = { ...idsOf(versions), withMembers: false };
      const directory = await this.directory.loadSome(db, account, people);
      // Whether a router is published is no part of a version.
      const [before, after] = versions.map((then) =>
        routerForm(withContent(then, then, { published: false }), directory),
      );
      return { changes: valueChanges(before ?? {}, after ?? {}) };
    });
  }

  private edit(
    client: Caller,
    { id, versions, shown = 'live', ...options }: Edit & { readonly shown?: Shown },
    work: (change: ConfigurationChange, edited: EditedRouter) => Promise<void>,
  ): Answer {
    const run = async (change: ConfigurationChange): Promise<RouterView> => {
      const router = await this.find(change.tx, client, id);
      if (router.archivedAt !== null) {
        throw shown === 'archived'
          ? objectNotFound('router')
          : archived('This router is archived and cannot be changed');
      }
      requireCurrent({ kind: 'router' }, routerVersion(router), versions);
      const context = await this.contents.load(change);
      await work(change, { router, context });
      return this.view(change, context, { id: router.id, shown });
    };
    return this.changes.change(client, run, options);
  }

  private async view(
    { tx, account }: ConfigurationChange,
    { directory }: RouterContext,
    { id, shown }: { readonly id: string; readonly shown: Shown },
  ): Promise<RouterView> {
    const router = await this.find(tx, account, id);
    const isPending = shown === 'pending' && (router.draft ?? null) !== null;
    const asked = { router, version: isPending ? 'draft' : 'live' } as const;
    const view = routerView(await this.versions.read(tx, account, asked), directory);
    return withRouterVersion(view, router);
  }

  private async find(db: EntityReader, account: AccountContext, id: string): Promise<RouterEntity> {
    const router = isId(id) ? await this.routers.findWithDraft(db, account, id) : null;
    if (router === null) throw objectNotFound('router');
    return router;
  }
}
