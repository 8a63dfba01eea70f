import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { Database, isId, type Transaction } from '../../database/index.js';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { RouterStatusReader, type RouterStatus } from '../../dispatch/index.js';
import { notFound } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import {
  cursorBehind,
  cursorPage,
  pageStart,
  rowPage,
  type Page,
  type PageRange,
  type PageRequest,
} from '../../paging/index.js';
import {
  idsOf,
  listedIn,
  routerOfVersion,
  RoutersRepository,
  RouterVersionsRepository,
  withContent,
  type RouterEntity,
  type VersionChoice,
} from '../../routers/index.js';
import { valueChanges, type ValueChange } from '../change/value-changes.js';
import {
  BRIEF_COLUMNS,
  briefRouterView,
  routerForm,
  routerVersionView,
  routerView,
  withRouterVersion,
  type BriefRouterView,
  type RouterVersionItem,
  type RouterVersionView,
  type RouterView,
} from './router-view.js';

/** Which version of a router is read, the live one unless given, and what beside it. */
export interface RouterRequest {
  readonly version?: VersionChoice | undefined;
  readonly expand?: 'status' | undefined;
}

/** The part of the list of a router's versions that a request asks for. */
export interface VersionPageRequest extends PageRange {
  /** The `next` of the page before; not together with an offset. */
  readonly after?: string | undefined;
}

/** The part of the list of routers that a request asks for. */
export interface RouterPageRequest extends PageRequest, VersionPageRequest, Pick<RouterRequest, 'expand'> {
  readonly q?: string | undefined;
  readonly id?: readonly string[] | undefined;
  readonly object_type?: ObjectType | undefined;
  /** Id or e-mail of somebody whom they list, alone or in a team. */
  readonly user?: string | undefined;
  /** Without settings, users and teams. */
  readonly brief?: boolean;
}

/** A router of a list. */
export type ListedRouter = (BriefRouterView | RouterView) & { readonly status?: RouterStatus };

/** Greatest number of a version. */
const MOST = 2 ** 31 - 1;

/** Reads routers (clause 4.5) and their versions (contract section 6) for the clients of their account. */
@Injectable()
export class RoutersService {
  constructor(
    private readonly database: Database,
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly versions: RouterVersionsRepository,
    private readonly statuses: RouterStatusReader,
  ) {}

  /**
   * Returns one page of routers in creation order. It has fewer than `limit` where its answer would exceed
   * 10 MiB, but at least one.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  async list(
    account: AccountContext,
    { after, expand, brief = false, id, user, q, object_type: objectType, ...range }: RouterPageRequest,
  ): Promise<Page<ListedRouter>> {
    const behind = pageStart(after, range.offset);
    const page = await this.inSnapshot(account, async (tx): Promise<Page<ListedRouter>> => {
      const listing = user === undefined ? undefined : await this.listing(tx, account, user);
      const named = id?.map((each) => each.toLowerCase()).filter(isId);
      const ids = named?.filter((each) => listing?.has(each) !== false) ?? listing;
      const columns = brief ? BRIEF_COLUMNS : undefined;
      const asked = { ...range, behind, q, ids, objectType, columns };
      const found = await this.routers.list(tx, account, asked);
      if (brief) return rowPage(found.rows.map(briefRouterView), range, found);
      const directory = await this.directoryOf(tx, account, found.rows);
      const views = found.rows.map((router) => routerView(router, directory));
      return rowPage(views, range, found);
    });
    if (expand !== undefined) await this.statuses.addTo(account, page.data);
    return page;
  }

  /** Returns one router, archived or not. @throws 404 for an unknown router or version */
  async get(
    account: AccountContext,
    id: string,
    { version = 'live', expand }: RouterRequest = {},
  ): Promise<RouterView> {
    const view = await this.inSnapshot(account, async (tx) => {
      const found = await this.routers.get(tx, account, id);
      const router = await this.versions.read(tx, account, { router: found, version });
      return withRouterVersion(routerView(router, await this.directoryOf(tx, account, [router])), found);
    });
    if (expand !== undefined) await this.statuses.addTo(account, [view]);
    return view;
  }

  /** As `list`, of the versions of a router, newest first. @throws 400; 404 for an unknown router */
  listVersions(
    account: AccountContext,
    id: string,
    { after, ...range }: VersionPageRequest,
  ): Promise<Page<RouterVersionView>> {
    const start = pageStart(after, range.offset);
    return this.database.for(account).read(async (db) => {
      const { id: routerId } = await this.routers.get(db, account, id);
      const asked = { routerId, ...range, behind: start === undefined ? undefined : numberBehind(start) };
      const { versions, count, more } = await this.versions.list(db, account, asked);
      const last = versions.at(-1);
      const next = last === undefined || !more ? null : cursorBehind(idOfNumber(last.version));
      return cursorPage(versions.map(routerVersionView), range, { count, next });
    });
  }

  /** Returns one version with the router as it was. @throws 404 for an unknown router or version */
  getVersion(account: AccountContext, id: string, version: string): Promise<RouterVersionItem> {
    return this.inSnapshot(account, async (tx) => {
      const router = await this.routers.get(tx, account, id);
      const found = await this.versions.find(tx, account, { router, version: numberOf(version) });
      const then = routerOfVersion(router, found);
      const directory = await this.directoryOf(tx, account, [then]);
      return { ...routerVersionView(found), router: routerView(then, directory) };
    });
  }

  /** Returns the values in which two versions of a router differ. @throws 404 for an unknown one */
  diff(
    account: AccountContext,
    id: string,
    { from, to }: Readonly<Record<'from' | 'to', VersionChoice>>,
  ): Promise<{ readonly changes: readonly ValueChange[] }> {
    return this.database.for(account).read(async (db) => {
      const router = await this.routers.get(db, account, id);
      const before = await this.versions.read(db, account, { router, version: from });
      const after = await this.versions.read(db, account, { router, version: to });
      const people = { ...idsOf([before, after]), withMembers: false };
      const directory = await this.directory.loadSome(db, account, people);
      // Whether a router is published is no part of a version.
      const form = (then: RouterEntity): object =>
        routerForm(withContent(then, then, { published: false }), directory);
      return { changes: valueChanges(form(before), form(after)) };
    });
  }

  /** The ids of the routers that list a user, live: in a pool, in a team of one, or as the backup. */
  private async listing(tx: Transaction, account: AccountContext, user: string): Promise<Set<string>> {
    const asked = { userIds: [user].filter(isId), emails: [user] };
    const people = await this.directory.loadSome(tx, account, asked);
    const id = (people.user(user.toLowerCase()) ?? people.withEmail(user))?.id;
    if (id === undefined) return new Set();
    const teamIds = await this.directory.findTeamsOf(tx, account, id);
    const routers = await this.routers.mentioning(tx, account, [id, ...teamIds]);
    const isListing = (router: RouterEntity): boolean => {
      const listed = listedIn(router);
      return listed.userIds.has(id) || teamIds.some((team) => listed.teamIds.has(team));
    };
    return new Set(routers.filter(isListing).map((router) => router.id));
  }

  private directoryOf(
    tx: Transaction,
    account: AccountContext,
    routers: readonly RouterEntity[],
  ): Promise<Directory> {
    return this.directory.loadSome(tx, account, idsOf(routers));
  }

  /** Reads as of one instant, so that a router and its people are of one version of the configuration. */
  private inSnapshot<T>(account: AccountContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const options = { isolation: 'REPEATABLE READ', readOnly: true, eager: true } as const;
    return this.database.for(account).transaction(work, options);
  }
}

/** The number of a version in the form of an id, for which a cursor stands. */
function idOfNumber(version: number): string {
  return `00000000-0000-0000-0000-${version.toString(16).padStart(12, '0')}`;
}

/** The number in a cursor. That of another list stands behind no version. */
function numberBehind(id: string): number {
  return Math.min(Number(`0x${id.replaceAll('-', '')}`), MOST);
}

/** The number in a path. @throws 404 for a text that names no version */
function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('Version not found');
  return Number(text);
}
