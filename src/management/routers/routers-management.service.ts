import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { newId, type EntityReader } from '../../database/index.js';
import { RouterStatusReader } from '../../dispatch/index.js';
import { archived, conflict, notFound } from '../../errors/errors.js';
import {
  contentOf,
  isOnlyDraft,
  ownerOfName,
  pendingContent,
  objectTypeOf,
  RouterValidator,
  shownContent,
  staleDraft,
  withContent,
  type NewRouter,
  type RouterContent,
  type RouterDto,
  type RouterEntity,
  type SentRouter,
  type TypedContent,
} from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { ChangesService, type ChangeOptions, type Tried } from '../change/changes.service.js';
import {
  duplicate,
  objectNotFound,
  requireCurrent,
  type ConfigurationChange,
  type Fail,
} from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import type { Edit } from '../managed/managed-kind.js';
import { withValuesOf } from './as-fields-have.js';
import { routerForm, routerVersion, routerView, withRouterVersion, type RouterView } from './router-view.js';
import { RouterWriter, type RouterContext, type RoutersChange } from './router-writer.js';

type Answer = Promise<RouterView & Tried>;

/** What the answer to a dry run of a publication has. */
export interface Warned {
  /** What would keep it, or a rule or step of it, from assigning anybody. */
  readonly warnings?: readonly string[];
}

/** What is shown of a router that has changed. */
type Shown = 'live' | 'pending' | 'archived';

/** A router of a file, its type, and what reports that a key of it fails. */
interface NamedRouter extends Pick<TypedContent, 'objectType'> {
  readonly dto: RouterDto;
  readonly fail: Fail;
}

/** Changes a router. */
type Work = (routers: RoutersChange, router: RouterEntity) => Promise<void> | void;

/**
 * Manages the routers of an account, by requests and by the file, as a ManagedKind does its objects (contract
 * section 6). Methods for a request that changes one throw 400 listing what fails, 404 for an unknown router,
 * 409 for an archived one, and 412 where it has none of the versions.
 */
@Injectable()
export class RoutersManagementService {
  constructor(
    private readonly changes: ChangesService,
    private readonly validator: RouterValidator,
    private readonly writer: RouterWriter,
    private readonly statuses: RouterStatusReader,
  ) {}

  /** Creates a router as a draft. @throws 409 where the name is taken */
  create(client: Caller, { sent, ...options }: ChangeOptions & { readonly sent: SentRouter }): Answer {
    return this.changes.change(
      client,
      async (change) => {
        const routers = await this.writer.open(change);
        const { content, objectType } = this.wanted(routers.context, { sent });
        const id = newId();
        await routers.create([{ ...content, id, objectType, published: false }]);
        return this.view(routers, id, 'live');
      },
      options,
    );
  }

  /** Changes the draft. @returns the draft @throws 409 where the name is taken */
  update(client: Caller, { sent, ...edit }: Edit & { readonly sent: SentRouter }): Answer {
    return this.edit(client, { ...edit, shown: 'pending' }, (routers, router) => {
      const { content } = this.wanted(routers.context, { sent, router });
      return routers.saveDraft({ router, content });
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
    const answer = await this.edit(client, edit, async (routers, router) => {
      const content = pendingContent(router);
      const live = withContent(router, content, { published: true });
      if (edit.dryRun === true) warned = { warnings: this.statuses.warningsOf(live, routers.context) };
      if ((router.draft ?? null) === null && router.published && router.version !== null) return;
      const stale = staleDraft(router);
      if (stale !== undefined) throw conflict(stale);
      this.requireSound(routers, router, content);
      await routers.goLive({ router, content, draft: null, note, action: 'publish' });
    });
    return Object.assign(answer, warned);
  }

  /**
   * Makes the content of an earlier version the next one, unless that is live. The draft stays.
   * @throws 404 for an unknown version; 409 where its name is taken
   */
  rollBack(client: Caller, { version, ...edit }: Edit & { readonly version: number }): Answer {
    return this.edit(client, edit, async (routers, router) => {
      const { tx, account } = routers.change;
      const content = contentOf(await this.writer.versions.find(tx, account, { router, version }));
      if (router.published && router.version === version) return;
      this.requireSound(routers, router, content);
      const note = `Rolled back to version ${version}`;
      await routers.goLive({ router, content, draft: router.draft ?? null, note, action: 'rollback' });
    });
  }

  /** Takes the live version out of use. It stays what is shown, until another is published. */
  unpublish(client: Caller, edit: Edit): Answer {
    return this.edit(client, edit, (routers, router) => {
      if (router.published) return routers.unpublish(router);
    });
  }

  /** Drops the draft. @returns what is live @throws 404 for none; 409 where the router is nothing else */
  discard(client: Caller, edit: Edit): Answer {
    return this.edit(client, edit, (routers, router) => {
      if (isOnlyDraft(router)) {
        throw conflict('This router was never published: its draft is all it is. Archive the router instead');
      }
      if ((router.draft ?? null) === null) throw notFound('This router has no draft');
      return routers.discard(router);
    });
  }

  /** Archives a router. @throws 404 also for one that is archived */
  archive(client: Caller, edit: Edit): Answer {
    return this.edit(client, { ...edit, shown: 'archived' }, (routers, router) => routers.archive(router));
  }

  /**
   * Applies `routers` of a file, after the users, teams and fields they refer to. Settings are merged key by
   * key: with what is live where the router stays published, and otherwise with its draft. What changes of a
   * router that is published, or becomes so, is its next version.
   */
  async apply(change: ConfigurationChange, section: string, dtos: readonly RouterDto[]): Promise<void> {
    if (dtos.length === 0) return;
    const routers = await this.writer.open(change);
    const { catalog, routers: present } = routers.context;
    const known = new Map(present.map((router) => [nameKey(shownContent(router).name), router]));
    const created: (NewRouter & RouterContent)[] = [];
    for (const [index, given] of dtos.entries()) {
      const router = known.get(nameKey(given.name));
      const fail = change.failAt(`${section}[${index}]`);
      const dto = withValuesOf(given, given.object_type ?? router?.objectType, catalog);
      const objectType = objectTypeOf(fail, dto, router);
      if (objectType === undefined) continue;
      const named = { dto, fail, objectType };
      if (router === undefined) created.push(...this.created(routers.context, named));
      else await this.applyTo(routers, router, named);
    }
    await routers.create(created);
  }

  /** Archives the routers that `dtos` leave out. */
  async prune(change: ConfigurationChange, _section: string, dtos: readonly RouterDto[]): Promise<void> {
    const named = new Set(dtos.map(({ name }) => nameKey(name)));
    const routers = await this.writer.open(change);
    for (const router of routers.context.routers) {
      if (!named.has(nameKey(shownContent(router).name))) await routers.archive(router);
    }
  }

  /** Returns what the file has of every active router. */
  async export(db: EntityReader, account: AccountContext): Promise<object[]> {
    const { directory, routers } = await this.writer.load(db, account);
    return routers.map((router) => routerForm(withContent(router, shownContent(router)), directory));
  }

  /** Returns a new router of a file; none where it is refused. */
  private created(
    context: RouterContext,
    { dto, fail, objectType }: NamedRouter,
  ): (NewRouter & RouterContent)[] {
    const owner = ownerOfName(context.routers, dto.name);
    if (owner !== undefined) {
      fail('name', `the router ${shownContent(owner).name} has this name in another version of it`);
      return [];
    }
    const content = this.validator.wanted(fail, { keys: dto, base: undefined, objectType }, context);
    const { published = false } = dto;
    const version = published ? 1 : null;
    return content === undefined ? [] : [{ ...content, id: newId(), objectType, published, version }];
  }

  private async applyTo(
    routers: RoutersChange,
    router: RouterEntity,
    { dto, fail, objectType }: NamedRouter,
  ): Promise<void> {
    const { published = router.published } = dto;
    const staysLive = published && router.published;
    const base = staysLive ? contentOf(router) : pendingContent(router);
    const content = this.validator.wanted(fail, { keys: dto, base, objectType }, routers.context);
    if (content === undefined) return;
    if (!published) return routers.saveDraft({ router, content, published });
    const before = routers.form(withContent(router, base));
    const after = routers.form(withContent(router, content, { published }));
    if (valueChanges(before, after).length === 0) return;
    const stale = staysLive ? undefined : staleDraft(router);
    if (stale !== undefined) return fail('published', stale);
    await routers.goLive({ router, content, draft: staysLive ? (router.draft ?? null) : null });
  }

  private edit(
    client: Caller,
    { id, versions, shown = 'live', ...options }: Edit & { readonly shown?: Shown },
    work: Work,
  ): Answer {
    const run = async (change: ConfigurationChange): Promise<RouterView> => {
      const router = await this.writer.routers.get(change.tx, client, id);
      if (router.archivedAt !== null) {
        if (shown === 'archived') throw objectNotFound('router');
        throw archived('This router is archived and cannot be changed');
      }
      requireCurrent('router', routerVersion(router), versions);
      const routers = await this.writer.open(change);
      await work(routers, router);
      return this.view(routers, router.id, shown);
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
    { change, context }: RoutersChange,
    router: RouterEntity,
    content: RouterContent,
  ): void {
    requireFreeName(context, content, router.id);
    const stored = { ...content, objectType: router.objectType };
    for (const { field = '', message } of this.validator.check(stored, context.catalog, context.directory))
      change.fail(field, message);
    change.throwIfFailed();
  }

  private async view({ change, context }: RoutersChange, id: string, shown: Shown): Promise<RouterView> {
    const router = await this.writer.routers.get(change.tx, change.account, id);
    const version = shown === 'pending' && router.draft != null ? 'draft' : 'live';
    const seen = await this.writer.versions.read(change.tx, change.account, { router, version });
    return withRouterVersion(routerView(seen, context.directory), router);
  }
}

/** @throws 409 where another router has the name */
function requireFreeName({ routers }: RouterContext, { name }: RouterContent, id?: string): void {
  const owner = ownerOfName(routers, name, id);
  if (owner !== undefined) throw duplicate('router', 'name', owner.id);
}
