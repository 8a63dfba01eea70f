import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { FieldCatalog, FieldsRepository } from '../../fields/index.js';
import {
  contentOf,
  isOnlyDraft,
  pendingContent,
  RoutersRepository,
  RouterVersionsRepository,
  withContent,
  type NewRouter,
  type RouterContent,
  type RouterDraft,
  type RouterEntity,
} from '../../routers/index.js';
import type { ChangedObject, ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import { routerForm, type RouterContext } from './router-contents.js';

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

/**
 * Reads what routers are checked against, and writes them and their versions, and notes that. Those who call
 * it have checked what it writes.
 */
@Injectable()
export class RouterWriter {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionsRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
  ) {}

  async load({ tx, account }: Pick<ConfigurationChange, 'tx' | 'account'>): Promise<RouterContext> {
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    return { directory, catalog, routers: await this.routers.listWithDrafts(tx, account) };
  }

  /** Creates routers. Those that are published have their version 1. */
  async create(
    change: ConfigurationChange,
    directory: Directory,
    routers: readonly (NewRouter & RouterContent)[],
  ): Promise<void> {
    const { tx, account } = change;
    await this.routers.insert(tx, account, routers);
    const published = this.published(change, null);
    const versions = routers.flatMap((router) => {
      const { id: routerId, version = null } = router;
      return version === null ? [] : [{ ...contentOf(router), version, routerId, ...published }];
    });
    await this.versions.insert(tx, account, versions);
    for (const router of routers) {
      const after = { ...routerForm(router, directory), version: router.version ?? null };
      change.changed(objectOf(router), { before: null, after });
    }
  }

  /** Makes a content the next version, live from the commit on. */
  async goLive(
    change: ConfigurationChange,
    directory: Directory,
    { router, content, draft, rebases = false, note = null, action }: GoingLive,
  ): Promise<void> {
    const { tx, account } = change;
    const { id } = router;
    const version = (await this.versions.newest(tx, account, id)) + 1;
    const left = rebases && draft?.base === router.version ? { ...draft, base: version } : draft;
    const published = this.published(change, note);
    await this.versions.insert(tx, account, [{ ...content, routerId: id, version, ...published }]);
    await this.routers.update(tx, account, { id, ...content, published: true, version, draft: left });
    const values = valueChanges(
      { ...routerForm(router, directory), version: router.version },
      { ...routerForm(withContent(router, content, { published: true }), directory), version },
    );
    const noted = note === null || action === undefined ? [] : [{ path: 'note', from: null, to: note }];
    change.did(action ?? 'update', objectOf({ id, name: content.name }), { values: [...values, ...noted] });
  }

  /**
   * Keeps a content as what is not published, where it differs. A draft that says what is live already is
   * none.
   * @param written `published`: false takes the router out of use too
   */
  async saveDraft(
    change: ConfigurationChange,
    directory: Directory,
    { router, content, published = router.published }: WrittenRouter & { readonly published?: boolean },
  ): Promise<void> {
    const { tx, account } = change;
    const { id, draft = null, version } = router;
    const base = pendingContent(router);
    const isAll = isOnlyDraft(router);
    const isChanged = change.changed(objectOf({ id, name: base.name }), {
      before: routerForm(withContent(router, base), directory),
      after: routerForm(withContent(router, content, { published }), directory),
      draftOnly: !isAll && published === router.published,
      draft: true,
    });
    if (!isChanged) return;
    if (isAll) return this.routers.update(tx, account, { id, ...content });
    const isLive = isDeepStrictEqual(content, contentOf(router));
    if (!isLive || draft !== null) {
      const begun = draft === null ? version : draft.base;
      const left = { ...content, base: begun, updatedAt: new Date().toISOString() };
      await this.routers.saveDraft(tx, account, { id, draft: isLive ? null : left });
    }
    if (published !== router.published) await this.routers.update(tx, account, { id, published });
  }

  /** Drops the draft. */
  async discard(change: ConfigurationChange, directory: Directory, router: RouterEntity): Promise<void> {
    await this.routers.saveDraft(change.tx, change.account, { id: router.id, draft: null });
    const draft = withContent(router, pendingContent(router));
    const values = valueChanges(routerForm(draft, directory), routerForm(router, directory));
    change.did('discard', objectOf(router), { values, draftOnly: true });
  }

  /** Takes the live version out of use. It stays what is shown, until another is published. */
  async unpublish(change: ConfigurationChange, router: RouterEntity): Promise<void> {
    await this.routers.update(change.tx, change.account, { id: router.id, published: false });
    const values = [{ path: 'published', from: true, to: false }];
    change.did('unpublish', objectOf(router), { values });
  }

  async archive(change: ConfigurationChange, router: RouterEntity): Promise<void> {
    const { id, name } = change.author;
    const archived = { archivedAt: new Date(), archivedBy: id ?? name };
    await this.routers.update(change.tx, change.account, { id: router.id, ...archived });
    change.did('archive', objectOf(router));
  }

  private published({ author: { kind, id, name } }: ConfigurationChange, note: string | null) {
    return { publishedAt: new Date(), publishedBy: { kind, id, name }, note };
  }
}

function objectOf({ id, name }: Pick<RouterEntity, 'id' | 'name'>): ChangedObject {
  return { kind: 'router', id, name };
}
