import { Injectable } from '@nestjs/common';
import { newId } from '../../../database/index.js';
import {
  contentOf,
  RoutersRepository,
  type NewRouter,
  type RouterContent,
  type RouterDto,
  type RouterEntity,
} from '../../../routers/index.js';
import { nameKey } from '../../../text/canonical-text.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { valueChanges } from '../../change/value-changes.js';
import { routerForm } from '../../forms/router-form.js';
import { objectTypeOf, RouterContents, type Surroundings } from '../../routers/router-contents.js';
import {
  isStale,
  ownerOfName,
  pendingContent,
  shownContent,
  staleMessage,
} from '../../routers/router-drafts.js';
import { RoutersEditor } from '../../routers/routers.editor.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/**
 * Applies `routers`, after the users, teams and fields they refer to. Settings are merged key by key: with
 * what is live where the router stays published, and otherwise with its draft. What changes of a router that
 * is published, or becomes so, is its next version.
 */
@Injectable()
export class RoutersSection implements ApplySection {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly contents: RouterContents,
    private readonly editor: RoutersEditor,
  ) {}

  async apply(change: ConfigurationChange, { routers: dtos = [] }: AccountDto): Promise<void> {
    const around = await this.contents.load(change);
    const known = new Map(around.routers.map((router) => [nameKey(shownContent(router).name), router]));
    const created: NewRouter[] = [];
    for (const [index, dto] of dtos.entries()) {
      const named = { dto, path: `routers[${index}]` };
      const present = known.get(nameKey(dto.name));
      if (present !== undefined) await this.change(change, { ...named, router: present }, around);
      else created.push(...this.create(change, named, around));
    }
    await this.editor.create(change, created);
  }

  /** Notes a new router. @returns none where it is refused */
  private create(change: ConfigurationChange, { dto, path }: NamedRouter, around: Surroundings): NewRouter[] {
    const refuse = change.refusing(path);
    const objectType = objectTypeOf(refuse, dto, undefined);
    if (objectType === undefined) return [];
    const owner = ownerOfName(around.routers, { id: undefined, name: dto.name });
    if (owner !== undefined) {
      refuse('name', `the router ${shownContent(owner).name} has this name in another version of it`);
      return [];
    }
    const content = this.contents.wanted(refuse, { keys: dto, base: undefined, objectType }, around);
    if (content === undefined) return [];
    const published = dto.published ?? false;
    const version = published ? 1 : null;
    const router = { ...content, id: newId(), objectType, published, version };
    const after = { ...routerForm(router, around.directory), version };
    change.note({ kind: 'router', id: router.id, name: dto.name }, { before: null, after });
    return [router];
  }

  private async change(
    change: ConfigurationChange,
    { dto, path, router }: PresentRouter,
    around: Surroundings,
  ): Promise<void> {
    const refuse = change.refusing(path);
    const objectType = objectTypeOf(refuse, dto, router);
    if (objectType === undefined) return;
    const published = dto.published ?? router.published;
    const staysLive = published && router.published;
    const base = staysLive ? contentOf(router) : pendingContent(router);
    const content = this.contents.wanted(refuse, { keys: dto, base, objectType }, around);
    if (content === undefined) return;
    const form = (values: RouterContent & { readonly published: boolean }): object =>
      routerForm({ ...values, objectType }, around.directory);
    const before = form({ ...base, published: router.published });
    const after = form({ ...content, published });
    if (valueChanges(before, after).length === 0) return;
    const object = { kind: 'router', id: router.id, name: dto.name } as const;
    if (!published) {
      const { hidden } = await this.keepDraft(change, { router, content });
      change.note(object, { before, after, hidden, draft: true });
      return;
    }
    if (!staysLive && isStale(router)) {
      refuse('published', staleMessage(router));
      return;
    }
    const draft = staysLive ? (router.draft ?? null) : null;
    const version = await this.editor.goLive(change, { router, content, draft });
    const from = { ...before, version: router.version };
    change.note(object, { before: from, after: { ...after, version } });
  }

  private async keepDraft(
    change: ConfigurationChange,
    written: { readonly router: RouterEntity; readonly content: RouterContent },
  ): Promise<{ hidden: boolean }> {
    const { id, published } = written.router;
    const { hidden } = await this.editor.saveDraft(change, written);
    if (!published) return { hidden };
    await this.routers.update(change.tx, change.account, { id, published: false });
    return { hidden: false };
  }
}

/** A router in the file, and its path in the account, such as `routers[0]`. */
interface NamedRouter {
  readonly dto: RouterDto;
  readonly path: string;
}

/** One that is there already. */
interface PresentRouter extends NamedRouter {
  readonly router: RouterEntity;
}
