import { Injectable } from '@nestjs/common';
import { withContent, type RouterContent, type RouterEntity } from '../../routers/index.js';
import type { ObjectType } from '../../fields/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { duplicate } from '../change/duplicate.js';
import { valueChanges } from '../change/value-changes.js';
import { routerForm } from '../forms/router-form.js';
import { objectTypeOf, RouterContents, type Surroundings } from './router-contents.js';
import { ownerOfName, pendingContent } from './router-drafts.js';
import type { EditedRouter } from './router-publisher.js';
import { RoutersEditor } from './routers.editor.js';
import { soundKeys, type SentRouter } from './sent-router.js';

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
    { id, sent, around }: { readonly id: string; readonly sent: SentRouter; readonly around: Surroundings },
  ): Promise<void> {
    const { content, objectType } = this.wanted(change, { sent, around });
    const router = { ...content, id, objectType, published: false };
    await this.editor.create(change, [router]);
    const object = { kind: 'router', id, name: content.name } as const;
    change.note(object, { before: null, after: routerForm(router, around.directory) });
  }

  /** Changes the draft of a router. @throws as `create` */
  async change(
    change: ConfigurationChange,
    { router, around }: EditedRouter,
    sent: SentRouter,
  ): Promise<void> {
    const { directory } = around;
    const { content } = this.wanted(change, { sent, around, router });
    const pending = pendingContent(router);
    const before = routerForm(withContent(router, pending), directory);
    const after = routerForm(withContent(router, content), directory);
    if (valueChanges(before, after).length === 0) return;
    const { hidden } = await this.editor.saveDraft(change, { router, content });
    const object = { kind: 'router', id: router.id, name: pending.name } as const;
    change.note(object, { before, after, hidden, draft: true });
  }

  /** Adds what is wrong with the router to what is wrong with the body by itself. */
  private wanted(
    change: ConfigurationChange,
    {
      sent,
      around,
      router,
    }: { readonly sent: SentRouter; readonly around: Surroundings; readonly router?: RouterEntity },
  ): { content: RouterContent; objectType: ObjectType } {
    const { failures } = sent;
    const keys = soundKeys(sent);
    const refuse = change.refusing('');
    const base = router === undefined ? undefined : pendingContent(router);
    const isUnreadable = sent.body === undefined || failures.mentions('object_type');
    const objectType = isUnreadable ? undefined : objectTypeOf(refuse, keys, router);
    const content =
      objectType === undefined ? undefined : this.contents.wanted(refuse, { keys, base, objectType }, around);
    failures.addAll(change.errors);
    failures.throwIfAny();
    if (content === undefined || objectType === undefined) throw new Error('A router was refused silently');
    const owner = ownerOfName(around.routers, { id: router?.id, name: content.name });
    if (owner !== undefined) throw duplicate('router', { field: 'name', existingId: owner.id });
    return { content, objectType };
  }
}
