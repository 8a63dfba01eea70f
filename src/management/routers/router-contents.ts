import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { FieldCatalog, FieldsRepository } from '../../fields/index.js';
import {
  contentOf,
  idsOf,
  pendingContent,
  RoutersRepository,
  RouterValidator,
  shownSettings,
  type RouterContent,
  type RouterEntity,
  type RouterValues,
  type StoredVersion,
} from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { ConfigurationChange, Fail } from '../change/configuration-change.js';

/** What routers are checked against, as of one change. */
export interface RouterContext {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  /** Every active router, with its draft. */
  readonly routers: readonly RouterEntity[];
}

/** Makes what routers have out of what files and requests say, by the rules of both. */
@Injectable()
export class RouterContents {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
    readonly validator: RouterValidator,
  ) {}

  async load({ tx, account }: Pick<ConfigurationChange, 'tx' | 'account'>): Promise<RouterContext> {
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    return { directory, catalog, routers: await this.routers.listWithDrafts(tx, account) };
  }

  /** Returns whom versions of a router name. */
  people(db: EntityReader, account: AccountContext, versions: readonly RouterEntity[]): Promise<Directory> {
    return this.directory.loadSome(db, account, { ...idsOf(versions), withMembers: false });
  }

  /** Reports what keeps a stored content from being published as things are configured now. */
  check(fail: Fail, router: StoredVersion, { directory, catalog }: RouterContext): void {
    for (const { field, message } of this.validator.check(router, catalog, directory)) {
      fail(field ?? '', message);
    }
  }
}

/** Returns a router as the configuration file spells it. Users and teams that are gone are left out. */
export function routerForm(
  router: RouterValues & Pick<RouterEntity, 'name' | 'objectType'>,
  directory: Directory,
): object {
  const users = (router.users ?? []).flatMap(({ userId, ...share }) => {
    const email = directory.user(userId)?.email;
    return email === undefined ? [] : [{ email, ...share }];
  });
  const teams = (router.teams ?? []).flatMap(({ teamId, ...share }) => {
    const name = directory.team(teamId)?.name;
    return name === undefined ? [] : [{ name, ...share }];
  });
  const settings = shownSettings(
    { objectType: router.objectType, settings: router.settings ?? null },
    directory,
  );
  return {
    name: router.name,
    object_type: router.objectType,
    published: router.published,
    settings,
    // A file cannot say that a router with settings lists nobody.
    ...(settings !== null && users.length + teams.length === 0 ? {} : { users, teams }),
  };
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
}

/** Says why a draft cannot go live: another version was published since. Undefined where it can. */
export function staleDraft({ id, draft = null, version }: RouterEntity): string | undefined {
  if (draft === null || draft.base === version) return undefined;
  return (
    `The draft was begun on version ${draft.base ?? 'none'}, and version ${version ?? 'none'} was published since: ` +
    `discard the draft (DELETE /routers/${id}/draft) and make it anew`
  );
}

/** Returns the router to which a name belongs, as its live one or that of its draft, other than `id`. */
export function ownerOfName(
  routers: readonly RouterEntity[],
  name: string,
  id?: string,
): RouterEntity | undefined {
  const key = nameKey(name);
  return routers.find((other) => {
    const names = [other.name, other.draft?.name ?? other.name];
    return other.id !== id && names.some((each) => nameKey(each) === key);
  });
}
