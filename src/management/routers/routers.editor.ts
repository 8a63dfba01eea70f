import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  contentOf,
  isOnlyDraft,
  RoutersRepository,
  RouterVersionsRepository,
  type NewRouter,
  type RouterContent,
  type RouterDraft,
  type RouterEntity,
} from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';

/** A router whose content is to be written. */
export interface WrittenRouter {
  readonly router: RouterEntity;
  readonly content: RouterContent;
}

/** How a content goes live. */
export interface GoingLive extends WrittenRouter {
  /** What is left as the draft. */
  readonly draft: RouterDraft | null;
  readonly note?: string | null;
}

/** Writes routers and their versions. Those who call it have checked what it writes, and note it. */
@Injectable()
export class RoutersEditor {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionsRepository,
  ) {}

  /** Creates routers. Those that are published have their version 1. */
  async create({ tx, account, author }: ConfigurationChange, routers: readonly NewRouter[]): Promise<void> {
    await this.routers.insert(tx, account, routers);
    const versions = routers.flatMap(({ id, name, settings, users, teams, version }) =>
      version === undefined || version === null
        ? []
        : [
            {
              name,
              settings: settings ?? null,
              users: users ?? [],
              teams: teams ?? [],
              version,
              routerId: id,
            },
          ],
    );
    const published = { publishedAt: new Date(), publishedBy: publisher(author), note: null };
    const rows = versions.map((version) => ({ ...version, ...published }));
    await this.versions.insert(tx, account, rows);
  }

  /** Makes a content the next version, live from the commit on. @returns its number */
  async goLive(
    { tx, account, author }: ConfigurationChange,
    { router, content, draft, note = null }: GoingLive,
  ): Promise<number> {
    const { id } = router;
    const version = (await this.versions.newest(tx, account, id)) + 1;
    const published = { publishedAt: new Date(), publishedBy: publisher(author), note };
    await this.versions.insert(tx, account, [{ ...content, routerId: id, version, ...published }]);
    await this.routers.update(tx, account, { id, ...content, published: true, version, draft });
    return version;
  }

  /**
   * Keeps a content as what is not published. A draft that says what is live already is none.
   * @returns whether dispatches see nothing of it
   */
  async saveDraft(
    { tx, account }: ConfigurationChange,
    { router, content }: WrittenRouter,
  ): Promise<{ draftOnly: boolean }> {
    const { id } = router;
    if (isOnlyDraft(router)) {
      await this.routers.update(tx, account, { id, ...content });
      return { draftOnly: false };
    }
    const base = router.draft === null || router.draft === undefined ? router.version : router.draft.base;
    const isLive = isDeepStrictEqual(content, contentOf(router));
    if (isLive && (router.draft ?? null) === null) return { draftOnly: true };
    const draft = isLive ? null : { ...content, base, updatedAt: new Date().toISOString() };
    await this.routers.saveDraft(tx, account, { id, draft });
    return { draftOnly: true };
  }
}

function publisher({ kind, id, name }: ConfigurationChange['author']) {
  return { kind, id, name };
}
