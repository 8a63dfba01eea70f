import { Injectable } from '@nestjs/common';
import type { ObjectType } from '../../fields/index.js';
import { contentOf, withContent, type RouterContent, type RouterEntity } from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import { duplicate } from '../managed/managed.errors.js';
import {
  objectTypeOf,
  RouterContents,
  routerForm,
  withoutFailingKeys,
  type RouterContext,
  type SentRouter,
} from './router-contents.js';
import { RoutersEditor } from './routers.editor.js';

/** An active router, and what it is checked against. */
export interface EditedRouter {
  readonly router: RouterEntity;
  readonly context: RouterContext;
}

/** Writes what requests say of routers into their drafts. */
@Injectable()
export class RouterDrafter {
  constructor(
    private readonly contents: RouterContents,
    private readonly editor: RoutersEditor,
  ) {}

  /** Creates a router that is not published. @throws 400 listing all that is wrong; 409 for a taken name */
  async create(
    change: ConfigurationChange,
    {
      id,
      sent,
      context,
    }: { readonly id: string; readonly sent: SentRouter; readonly context: RouterContext },
  ): Promise<void> {
    const { content, objectType } = this.wanted(change, { sent, context });
    const router = { ...content, id, objectType, published: false };
    await this.editor.create(change, [router]);
    const object = { kind: 'router', id, name: content.name } as const;
    change.changed(object, { before: null, after: routerForm(router, context.directory) });
  }

  /** Changes the draft of a router. @throws as `create` */
  async change(
    change: ConfigurationChange,
    { router, context }: EditedRouter,
    sent: SentRouter,
  ): Promise<void> {
    const { directory } = context;
    const { content } = this.wanted(change, { sent, context, router });
    const pending = pendingContent(router);
    const before = routerForm(withContent(router, pending), directory);
    const after = routerForm(withContent(router, content), directory);
    if (valueChanges(before, after).length === 0) return;
    const { draftOnly } = await this.editor.saveDraft(change, { router, content });
    const object = { kind: 'router', id: router.id, name: pending.name } as const;
    change.changed(object, { before, after, draftOnly, draft: true });
  }

  /** Adds what is wrong with the router to what is wrong with the body by itself. */
  private wanted(
    change: ConfigurationChange,
    {
      sent,
      context,
      router,
    }: { readonly sent: SentRouter; readonly context: RouterContext; readonly router?: RouterEntity },
  ): { content: RouterContent; objectType: ObjectType } {
    const { failures } = sent;
    const keys = withoutFailingKeys(sent);
    const fail = change.failAt('');
    const base = router === undefined ? undefined : pendingContent(router);
    const isUnreadable = sent.body === undefined || failures.mentions('object_type');
    const objectType = isUnreadable ? undefined : objectTypeOf(fail, keys, router);
    const content =
      objectType === undefined ? undefined : this.contents.wanted(fail, { keys, base, objectType }, context);
    failures.addAll(change.errors);
    failures.throwIfAny();
    if (content === undefined || objectType === undefined) throw new Error('A router was refused silently');
    const owner = ownerOfName(context.routers, { id: router?.id, name: content.name });
    if (owner !== undefined) throw duplicate('router', { field: 'name', existingId: owner.id });
    return { content, objectType };
  }
}

/** Returns what changes of a router that is not published build on: its draft, or else what is live. */
export function pendingContent(router: RouterEntity): RouterContent {
  return contentOf(router.draft ?? router);
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
}

/** Whether another version was published since the draft of a router was begun. */
export function isStale({ draft = null, version }: RouterEntity): boolean {
  return draft !== null && draft.base !== version;
}

/** Says of a stale draft what is the matter with it. */
export function staleMessage({ id, draft, version }: RouterEntity): string {
  const named = (of: number | null | undefined): string =>
    of === null || of === undefined ? 'none' : `${of}`;
  return (
    `The draft was begun on version ${named(draft?.base)}, and version ${named(version)} was published since: ` +
    `discard the draft (DELETE /routers/${id}/draft) and make it anew`
  );
}

/** Returns the router to which a name belongs, as its live one or that of its draft, other than `id`. */
export function ownerOfName(
  routers: readonly RouterEntity[],
  { id, name }: { readonly id: string | undefined; readonly name: string },
): RouterEntity | undefined {
  const key = nameKey(name);
  return routers.find((other) => {
    const names = [other.name, other.draft?.name ?? other.name];
    return other.id !== id && names.some((each) => nameKey(each) === key);
  });
}
