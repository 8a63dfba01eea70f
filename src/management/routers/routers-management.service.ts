import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, newId } from '../../database/index.js';
import { DirectoryRepository } from '../../directory/index.js';
import { RouterStatusReader } from '../../dispatch/index.js';
import { archived, conflict, notFound } from '../../errors/errors.js';
import {
  contentOf,
  idsOf,
  isOnlyDraft,
  pendingContent,
  RoutersRepository,
  RouterValidator,
  RouterVersionsRepository,
  withContent,
  type RouterContent,
  type RouterEntity,
  type SentRouter,
  type TypedContent,
  type VersionChoice,
} from '../../routers/index.js';
import { ChangesService, type ChangeOptions, type Tried } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges, type ValueChange } from '../change/value-changes.js';
import type { Edit } from '../managed/managed-kind.js';
import { duplicate, objectNotFound, requireCurrent } from '../managed/refusals.js';
import { ownerOfName, routerForm, staleDraft, type RouterContext } from './router-contents.js';
import { routerVersion, routerView, withRouterVersion, type RouterView } from './router-view.js';
import { RouterWriter } from './router-writer.js';

type Answer = Promise<RouterView & Tried>;

/** What the answer to a dry run of a publication has. */
export interface Warned {
  /** What would keep it, or a rule or step of it, from assigning anybody. */
  readonly warnings?: readonly string[];
}

/** What is shown of a router that has changed. */
type Shown = 'live' | 'pending' | 'archived';

/** Changes a router. */
type Work = (
  change: ConfigurationChange,
  context: RouterContext,
  router: RouterEntity,
) => Promise<void> | void;

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
    private readonly versions: RouterVersionsRepository,
    private readonly directory: DirectoryRepository,
    private readonly validator: RouterValidator,
    private readonly writer: RouterWriter,
    private readonly statuses: RouterStatusReader,
  ) {}

  /** Creates a router as a draft. @throws 409 where the name is taken */
  create(client: Caller, { sent, ...options }: ChangeOptions & { readonly sent: SentRouter }): Answer {
    const work = async (change: ConfigurationChange): Promise<RouterView> => {
      const context = await this.writer.load(change);
      const { content, objectType } = this.wanted(context, { sent });
      const id = newId();
      await this.writer.create(change, context.directory, [{ ...content, id, objectType, published: false }]);
      return this.view(change, context, { id, shown: 'live' });
    };
    return this.changes.change(client, work, options);
  }

  /** Changes the draft. @returns the draft @throws 409 where the name is taken */
  update(client: Caller, { sent, ...edit }: Edit & { readonly sent: SentRouter }): Answer {
    return this.edit(client, { ...edit, shown: 'pending' }, (change, context, router) => {
      const { content } = this.wanted(context, { sent, router });
      return this.writer.saveDraft(change, context.directory, { router, content });
    });
  }

  /**
   * Makes the draft the next version, or what was live, where there is no draft. Changes nothing where the
   * router is published and has no draft.
   * @returns what is live; of a dry run, what is to be known of it too
   * @throws 409 where another version was published since the draft was begun, or the name is taken
   */
  async publish(
    client: Caller,
    { note, ...edit }: Edit & { readonly note: string | null },
  ): Promise<Awaited<Answer> & Warned> {
    let warned: Warned = {};
    const answer = await this.edit(client, edit, async (change, context, router) => {
      const content = pendingContent(router);
      const live = withContent(router, content, { published: true });
      if (edit.dryRun === true) warned = { warnings: this.statuses.warningsOf(live, context) };
      if ((router.draft ?? null) === null && router.published && router.version !== null) return;
      const stale = staleDraft(router);
      if (stale !== undefined) throw conflict(stale);
      this.requireSound(change, context, { router, content });
      const going = { router, content, draft: null, note, action: 'publish' } as const;
      await this.writer.goLive(change, context.directory, going);
    });
    return Object.assign(answer, warned);
  }

  /**
   * Makes the content of an earlier version the next one. The draft stays. Changes nothing where that version
   * is live.
   * @throws 404 for an unknown version; 409 where its name is taken
   */
  rollBack(client: Caller, { version, ...edit }: Edit & { readonly version: number }): Answer {
    return this.edit(client, edit, async (change, context, router) => {
      const content = contentOf(await this.versions.find(change.tx, change.account, { router, version }));
      if (router.published && router.version === version) return;
      this.requireSound(change, context, { router, content });
      const note = `Rolled back to version ${version}`;
      const going = { router, content, draft: router.draft ?? null, note, action: 'rollback' } as const;
      await this.writer.goLive(change, context.directory, going);
    });
  }

  /** Takes the live version out of use. It stays what is shown, until another is published. */
  unpublish(client: Caller, edit: Edit): Answer {
    return this.edit(client, edit, (change, _, router) => {
      if (router.published) return this.writer.unpublish(change, router);
    });
  }

  /** Drops the draft. @returns what is live @throws 404 for none; 409 where the router is nothing else */
  discard(client: Caller, edit: Edit): Answer {
    return this.edit(client, edit, (change, { directory }, router) => {
      if (isOnlyDraft(router)) {
        throw conflict('This router was never published: its draft is all it is. Archive the router instead');
      }
      if ((router.draft ?? null) === null) throw notFound('This router has no draft');
      return this.writer.discard(change, directory, router);
    });
  }

  /** Archives a router. @throws 404 also for one that is archived */
  archive(client: Caller, edit: Edit): Answer {
    return this.edit(client, { ...edit, shown: 'archived' }, (change, _, router) =>
      this.writer.archive(change, router),
    );
  }

  /** Returns the values in which two versions of a router differ. @throws 404 for an unknown one */
  diff(
    account: AccountContext,
    id: string,
    { from, to }: Readonly<Record<'from' | 'to', VersionChoice>>,
  ): Promise<{ readonly changes: readonly ValueChange[] }> {
    return this.database.for(account).read(async (db) => {
      const router = await this.routers.get(db, account, id);
      const before = await this.versions.read(db, account, { router, version: from });
      const after = await this.versions.read(db, account, { router, version: to });
      const people = { ...idsOf([before, after]), withMembers: false };
      const directory = await this.directory.loadSome(db, account, people);
      // Whether a router is published is no part of a version.
      const form = (then: RouterEntity): object =>
        routerForm(withContent(then, then, { published: false }), directory);
      return { changes: valueChanges(form(before), form(after)) };
    });
  }

  private edit(
    client: Caller,
    { id, versions, shown = 'live', ...options }: Edit & { readonly shown?: Shown },
    work: Work,
  ): Answer {
    const run = async (change: ConfigurationChange): Promise<RouterView> => {
      const router = await this.routers.get(change.tx, client, id);
      if (router.archivedAt !== null) {
        if (shown === 'archived') throw objectNotFound('router');
        throw archived('This router is archived and cannot be changed');
      }
      requireCurrent('router', routerVersion(router), versions);
      const context = await this.writer.load(change);
      await work(change, context, router);
      return this.view(change, context, { id: router.id, shown });
    };
    return this.changes.change(client, run, options);
  }

  /** Returns what a request wants. @throws 400 with what is wrong with the body by itself too; 409 */
  private wanted(
    context: RouterContext,
    { sent, router }: { readonly sent: SentRouter; readonly router?: RouterEntity },
  ): TypedContent {
    const wanted = this.validator.sent(sent, router, context);
    sent.failures.throwIfAny();
    if (wanted === undefined) throw new Error('A router was refused silently');
    requireFreeName(context, wanted.content, router?.id);
    return wanted;
  }

  /** @throws 400 with what keeps a content from going live as things are configured now; 409 for its name */
  private requireSound(
    change: ConfigurationChange,
    context: RouterContext,
    { router, content }: { readonly router: RouterEntity; readonly content: RouterContent },
  ): void {
    requireFreeName(context, content, router.id);
    const { catalog, directory } = context;
    const stored = { ...content, objectType: router.objectType };
    for (const { field = '', message } of this.validator.check(stored, catalog, directory))
      change.fail(field, message);
    change.throwIfFailed();
  }

  private async view(
    { tx, account }: ConfigurationChange,
    { directory }: RouterContext,
    { id, shown }: { readonly id: string; readonly shown: Shown },
  ): Promise<RouterView> {
    const router = await this.routers.get(tx, account, id);
    const { draft = null } = router;
    const isPending = shown === 'pending' && draft !== null;
    const asked = { router, version: isPending ? 'draft' : 'live' } as const;
    const view = routerView(await this.versions.read(tx, account, asked), directory);
    return withRouterVersion(view, router);
  }
}

/** @throws 409 where another router has the name */
function requireFreeName({ routers }: RouterContext, { name }: RouterContent, id?: string): void {
  const owner = ownerOfName(routers, name, id);
  if (owner !== undefined) throw duplicate('router', 'name', owner.id);
}
