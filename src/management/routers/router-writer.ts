import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { poolWithout } from '../../engine/index.js';
import { FieldCatalog, FieldsRepository } from '../../fields/index.js';
import {
  contentOf,
  isOnlyDraft,
  pendingContent,
  RoutersRepository,
  RouterVersionsRepository,
  withContent,
  withoutUsers,
  type NewRouter,
  type RouterContent,
  type RouterDraft,
  type RouterEntity,
} from '../../routers/index.js';
import type { ChangedObject, ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import { routerForm } from './router-view.js';

/** What routers are checked against, as of one change. */
export interface RouterContext {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  /** Every active router, with its draft. */
  readonly routers: readonly RouterEntity[];
}

/** A router whose content is to be written. */
interface WrittenRouter {
  readonly router: RouterEntity;
  readonly content: RouterContent;
}

/** How a content goes live. */
interface GoingLive extends WrittenRouter {
  /** What is left as the draft. */
  readonly draft: RouterDraft | null;
  /** Whether a draft that was begun on what was live becomes one of what is live now. */
  readonly rebases?: boolean;
  readonly note?: string | null;
  /** `update` unless given, of which the audit does not tell the note. */
  readonly action?: 'publish' | 'rollback';
}

/** Reads what routers are checked against, and opens them for a change. */
@Injectable()
export class RouterWriter {
  constructor(
    readonly routers: RoutersRepository,
    readonly versions: RouterVersionsRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
  ) {}

  async load(db: EntityReader, account: AccountContext): Promise<RouterContext> {
    const directory = await this.directory.load(db, account);
    const catalog = new FieldCatalog(await this.fields.list(db, account));
    return { directory, catalog, routers: await this.routers.listWithDrafts(db, account) };
  }

  async open(change: ConfigurationChange): Promise<RoutersChange> {
    return new RoutersChange(this, change, await this.load(change.tx, change.account));
  }
}

/**
 * The routers of an account while its configuration changes. Writes them and their versions, and notes that.
 * Those who call it have checked what it writes.
 */
class RoutersChange {
  constructor(
    private readonly tables: Pick<RouterWriter, 'routers' | 'versions'>,
    readonly change: ConfigurationChange,
    readonly context: RouterContext,
  ) {}

  /** Returns a router as the configuration file spells it. */
  form(router: Parameters<typeof routerForm>[0]): object {
    return routerForm(router, this.context.directory);
  }

  /** Creates routers. Those that are published have their version 1. */
  async create(routers: readonly (NewRouter & RouterContent)[]): Promise<void> {
    const { tx, account } = this.change;
    await this.tables.routers.insert(tx, account, routers);
    const versions = routers.flatMap((router) => {
      const { id: routerId, version = null } = router;
      return version === null ? [] : [{ ...contentOf(router), version, routerId, ...this.published(null) }];
    });
    await this.tables.versions.insert(tx, account, versions);
    for (const router of routers) {
      const after = { ...this.form(router), version: router.version ?? null };
      this.change.changed(objectOf(router), { before: null, after });
    }
  }

  /** Makes a content the next version, live from the commit on. */
  async goLive({ router, content, draft, rebases = false, note = null, action }: GoingLive): Promise<void> {
    const { tx, account } = this.change;
    const { id } = router;
    const version = (await this.tables.versions.newest(tx, account, id)) + 1;
    const left = rebases && draft?.base === router.version ? { ...draft, base: version } : draft;
    const next = { ...content, routerId: id, version, ...this.published(note) };
    await this.tables.versions.insert(tx, account, [next]);
    await this.tables.routers.update(tx, account, { id, ...content, published: true, version, draft: left });
    const values = valueChanges(
      { ...this.form(router), version: router.version },
      { ...this.form(withContent(router, content, { published: true })), version },
    );
    const noted = note === null || action === undefined ? [] : [{ path: 'note', from: null, to: note }];
    const object = objectOf({ id, name: content.name });
    this.change.did(action ?? 'update', object, { values: [...values, ...noted] });
  }

  /**
   * Keeps a content as what is not published, where it differs from that and from what is live.
   * @param written `published`: false takes the router out of use too
   */
  async saveDraft({
    router,
    content,
    published = router.published,
  }: WrittenRouter & { readonly published?: boolean }): Promise<void> {
    const { tx, account } = this.change;
    const { id, draft = null, version } = router;
    const base = pendingContent(router);
    const isAll = isOnlyDraft(router);
    const isChanged = this.change.changed(objectOf({ id, name: base.name }), {
      before: this.form(withContent(router, base)),
      after: this.form(withContent(router, content, { published })),
      draftOnly: !isAll && published === router.published,
      draft: true,
    });
    if (!isChanged) return;
    if (isAll) return this.tables.routers.update(tx, account, { id, ...content });
    const isLive = isDeepStrictEqual(content, contentOf(router));
    if (!isLive || draft !== null) {
      const begun = draft === null ? version : draft.base;
      const left = { ...content, base: begun, updatedAt: new Date().toISOString() };
      await this.tables.routers.saveDraft(tx, account, { id, draft: isLive ? null : left });
    }
    if (published !== router.published) await this.tables.routers.update(tx, account, { id, published });
  }

  /** Drops the draft. */
  async discard(router: RouterEntity): Promise<void> {
    const { tx, account } = this.change;
    await this.tables.routers.saveDraft(tx, account, { id: router.id, draft: null });
    const draft = withContent(router, pendingContent(router));
    const values = valueChanges(this.form(draft), this.form(router));
    this.change.did('discard', objectOf(router), { values, draftOnly: true });
  }

  /** Takes the live version out of use. It stays what is shown, until another is published. */
  async unpublish(router: RouterEntity): Promise<void> {
    await this.tables.routers.update(this.change.tx, this.change.account, {
      id: router.id,
      published: false,
    });
    const values = [{ path: 'published', from: true, to: false }];
    this.change.did('unpublish', objectOf(router), { values });
  }

  /**
   * Takes users who are to be archived out of a router. What is live becomes the next version, where it lists
   * one of them: a draft that was begun on what was live is one of that. Else the draft alone changes.
   * @param gone their e-mails, by id
   */
  async leave(router: RouterEntity, gone: ReadonlyMap<string, string>): Promise<void> {
    const live = contentOf(router);
    const content = contentWithout(live, gone);
    if (router.published && content !== live) {
      const kept = router.draft ? contentWithout(router.draft, gone) : null;
      const isChanged = kept !== null && kept !== router.draft;
      const draft = isChanged ? { ...kept, updatedAt: new Date().toISOString() } : kept;
      const note = `Without ${[...gone.values()].join(', ')}`;
      return this.goLive({ router, content, draft, rebases: true, note });
    }
    const pending = pendingContent(router);
    const left = contentWithout(pending, gone);
    if (left !== pending) await this.saveDraft({ router, content: left });
  }

  async archive(router: RouterEntity): Promise<void> {
    const { tx, account, author } = this.change;
    const archived = { archivedAt: new Date(), archivedBy: author.id ?? author.name };
    await this.tables.routers.update(tx, account, { id: router.id, ...archived });
    this.change.did('archive', objectOf(router));
  }

  private published(note: string | null) {
    const { kind, id, name } = this.change.author;
    return { publishedAt: new Date(), publishedBy: { kind, id, name }, note };
  }
}

export type { RoutersChange };

function objectOf({ id, name }: Pick<RouterEntity, 'id' | 'name'>): ChangedObject {
  return { kind: 'router', id, name };
}

/**
 * Returns what a router has without users: not in its pool, in that of a rule or as the backup. Percentages
 * of the others grow in proportion. Returns the same object where the router lists none of them.
 */
function contentWithout<T extends RouterContent>(content: T, gone: ReadonlyMap<string, string>): T {
  const settings = withoutUsers(content.settings, new Set(gone.keys()));
  const pool = poolWithout(content, ({ userId }) => gone.has(userId));
  if (pool.users.length < content.users.length) return { ...content, settings, ...pool };
  return settings === content.settings ? content : { ...content, settings };
}
