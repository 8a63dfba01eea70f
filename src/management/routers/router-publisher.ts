import { Injectable } from '@nestjs/common';
import { conflict, notFound } from '../../errors/errors.js';
import {
  contentOf,
  isOnlyDraft,
  RoutersRepository,
  RouterVersionReader,
  withContent,
  type RouterEntity,
} from '../../routers/index.js';
import type { ChangeAction, ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import { duplicate } from '../managed/managed.errors.js';
import { RouterContents, routerForm } from './router-contents.js';
import { isStale, ownerOfName, pendingContent, staleMessage, type EditedRouter } from './router-drafter.js';
import { RoutersEditor, type GoingLive } from './routers.editor.js';

/** What is to go live, if nothing is against it. */
type Checked = EditedRouter & GoingLive;

/** Decides which version of a router is live. */
@Injectable()
export class RouterPublisher {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionReader,
    private readonly contents: RouterContents,
    private readonly editor: RoutersEditor,
  ) {}

  /**
   * Makes the draft the next version, or what was live, where there is no draft. Changes nothing where the
   * router is published and has no draft.
   * @throws 409 where another version was published since the draft was begun, or the name is taken
   */
  async publish(change: ConfigurationChange, edited: EditedRouter, note: string | null): Promise<void> {
    const { router } = edited;
    const { draft = null, published, version } = router;
    if (draft === null && published && version !== null) return;
    if (isStale(router)) throw conflict(staleMessage(router));
    const going = { router, content: pendingContent(router), draft: null, note };
    await this.goLive(change, { ...edited, ...going }, 'publish');
  }

  /**
   * Makes the content of an earlier version the next one. The draft stays. Changes nothing where that version
   * is live.
   * @throws 404 for an unknown version; 409 where its name is taken
   */
  async rollBack(change: ConfigurationChange, edited: EditedRouter, version: number): Promise<void> {
    const { router } = edited;
    const found = await this.versions.find(change.tx, change.account, { router, version });
    if (router.published && router.version === version) return;
    const note = `Rolled back to version ${version}`;
    const going = { router, content: contentOf(found), draft: router.draft ?? null, note };
    await this.goLive(change, { ...edited, ...going }, 'rollback');
  }

  /** Takes the live version out of use. It stays what is shown, until another is published. */
  async unpublish(change: ConfigurationChange, { router }: EditedRouter): Promise<void> {
    if (!router.published) return;
    await this.routers.update(change.tx, change.account, { id: router.id, published: false });
    const values = [{ path: 'published', from: true, to: false }];
    change.did('unpublish', subject(router), { values });
  }

  /** Drops the draft. @throws 404 for none; 409 where the router is nothing but its draft */
  async discard(change: ConfigurationChange, { router, context }: EditedRouter): Promise<void> {
    if (isOnlyDraft(router)) {
      throw conflict('This router was never published: its draft is all it is. Archive the router instead');
    }
    if ((router.draft ?? null) === null) throw notFound('This router has no draft');
    await this.routers.saveDraft(change.tx, change.account, { id: router.id, draft: null });
    const { directory } = context;
    const draft = withContent(router, pendingContent(router));
    const values = valueChanges(routerForm(draft, directory), routerForm(router, directory));
    change.did('discard', subject(router), { values, draftOnly: true });
  }

  /** @param by id of the client */
  async archive(change: ConfigurationChange, { router }: EditedRouter, by: string): Promise<void> {
    const archived = { archivedAt: new Date(), archivedBy: by };
    await this.routers.update(change.tx, change.account, { id: router.id, ...archived });
    change.did('archive', subject(router));
  }

  private async goLive(
    change: ConfigurationChange,
    { context, ...going }: Checked,
    action: ChangeAction,
  ): Promise<void> {
    const { router, content } = going;
    const owner = ownerOfName(context.routers, { id: router.id, name: content.name });
    if (owner !== undefined) throw duplicate('router', { field: 'name', existingId: owner.id });
    const before = change.errors.length;
    const checked = { ...content, objectType: router.objectType };
    this.contents.check(change.failAt(''), checked, context);
    if (change.errors.length > before) return;
    const { directory } = context;
    const version = await this.editor.goLive(change, going);
    const values = valueChanges(
      { ...routerForm(router, directory), version: router.version },
      { ...routerForm(withContent(router, content, { published: true }), directory), version },
    );
    const { note = null } = going;
    const noted = note === null ? [] : [{ path: 'note', from: null, to: note }];
    change.did(action, subject({ id: router.id, name: content.name }), { values: [...values, ...noted] });
  }
}

function subject({ id, name }: Pick<RouterEntity, 'id' | 'name'>) {
  return { kind: 'router', id, name } as const;
}
