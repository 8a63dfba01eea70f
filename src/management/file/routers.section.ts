import { Injectable } from '@nestjs/common';
import { newId } from '../../database/index.js';
import {
  contentOf,
  RoutersRepository,
  withContent,
  type NewRouter,
  type RouterContent,
  type RouterDto,
  type RouterEntity,
} from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import { objectTypeOf, RouterContents, routerForm, type RouterContext } from '../routers/router-contents.js';
import {
  isStale,
  ownerOfName,
  pendingContent,
  shownContent,
  staleMessage,
} from '../routers/router-drafter.js';
import { RouterPublisher } from '../routers/router-publisher.js';
import { RoutersEditor } from '../routers/routers.editor.js';
import type { AccountDto } from './account.dto.js';

/**
 * Applies `routers`, after the users, teams and fields they refer to. Settings are merged key by key: with
 * what is live where the router stays published, and otherwise with its draft. What changes of a router that
 * is published, or becomes so, is its next version.
 */
@Injectable()
export class RoutersSection {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly contents: RouterContents,
    private readonly editor: RoutersEditor,
    private readonly publisher: RouterPublisher,
  ) {}

  async apply(change: ConfigurationChange, { routers: dtos = [] }: AccountDto): Promise<void> {
    const context = await this.contents.load(change);
    const known = new Map(context.routers.map((router) => [nameKey(shownContent(router).name), router]));
    const created: NewRouter[] = [];
    for (const [index, dto] of dtos.entries()) {
      const named = { dto, path: `routers[${index}]` };
      const present = known.get(nameKey(dto.name));
      if (present !== undefined) await this.change(change, { ...named, router: present }, context);
      else created.push(...this.create(change, named, context));
    }
    await this.editor.create(change, created);
  }

  /** Archives the routers that `routers` leaves out. Does nothing where the file has no such section. */
  async prune(change: ConfigurationChange, { routers }: AccountDto): Promise<void> {
    if (routers === undefined) return;
    const named = new Set(routers.map(({ name }) => nameKey(name)));
    const context = await this.contents.load(change);
    const { id, name } = change.author;
    for (const router of context.routers) {
      if (named.has(nameKey(shownContent(router).name))) continue;
      await this.publisher.archive(change, { router, context }, id ?? name);
    }
  }

  /** Returns what the file has of every active router. */
  export({ directory, routers }: RouterContext): object[] {
    return routers.map((router) => routerForm(withContent(router, shownContent(router)), directory));
  }

  /** Notes a new router. @returns none where it is refused */
  private create(
    change: ConfigurationChange,
    { dto, path }: NamedRouter,
    context: RouterContext,
  ): NewRouter[] {
    const fail = change.failAt(path);
    const objectType = objectTypeOf(fail, dto, undefined);
    if (objectType === undefined) return [];
    const owner = ownerOfName(context.routers, { id: undefined, name: dto.name });
    if (owner !== undefined) {
      fail('name', `the router ${shownContent(owner).name} has this name in another version of it`);
      return [];
    }
    const content = this.contents.wanted(fail, { keys: dto, base: undefined, objectType }, context);
    if (content === undefined) return [];
    const published = dto.published ?? false;
    const version = published ? 1 : null;
    const router = { ...content, id: newId(), objectType, published, version };
    const after = { ...routerForm(router, context.directory), version };
    change.changed({ kind: 'router', id: router.id, name: dto.name }, { before: null, after });
    return [router];
  }

  private async change(
    change: ConfigurationChange,
    { dto, path, router }: PresentRouter,
    context: RouterContext,
  ): Promise<void> {
    const fail = change.failAt(path);
    const objectType = objectTypeOf(fail, dto, router);
    if (objectType === undefined) return;
    const published = dto.published ?? router.published;
    const staysLive = published && router.published;
    const base = staysLive ? contentOf(router) : pendingContent(router);
    const content = this.contents.wanted(fail, { keys: dto, base, objectType }, context);
    if (content === undefined) return;
    const form = (values: RouterContent & { readonly published: boolean }): object =>
      routerForm({ ...values, objectType }, context.directory);
    const before = form({ ...base, published: router.published });
    const after = form({ ...content, published });
    if (valueChanges(before, after).length === 0) return;
    const object = { kind: 'router', id: router.id, name: dto.name } as const;
    if (!published) {
      const { draftOnly } = await this.keepDraft(change, { router, content });
      change.changed(object, { before, after, draftOnly, draft: true });
      return;
    }
    if (!staysLive && isStale(router)) {
      fail('published', staleMessage(router));
      return;
    }
    const draft = staysLive ? (router.draft ?? null) : null;
    const version = await this.editor.goLive(change, { router, content, draft });
    const from = { ...before, version: router.version };
    change.changed(object, { before: from, after: { ...after, version } });
  }

  private async keepDraft(
    change: ConfigurationChange,
    written: { readonly router: RouterEntity; readonly content: RouterContent },
  ): Promise<{ draftOnly: boolean }> {
    const { id, published } = written.router;
    const { draftOnly } = await this.editor.saveDraft(change, written);
    if (!published) return { draftOnly };
    await this.routers.update(change.tx, change.account, { id, published: false });
    return { draftOnly: false };
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
