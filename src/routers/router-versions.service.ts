import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId, type EntityReader } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { notFound } from '../errors/errors.js';
import { cursorBehind, cursorPage, pageStart, type Page, type PageRange } from '../paging/index.js';
import { inSnapshot } from './in-snapshot.js';
import { RouterVersionReader, routerOfVersion } from './router-version-reader.js';
import { routerVersionView, type RouterVersionItem, type RouterVersionView } from './router-version-view.js';
import { RouterVersionsRepository } from './router-versions.repository.js';
import { idsOf } from './router-pool.js';
import { routerView } from './router-view.js';
import type { RouterEntity } from './router.entity.js';
import { RoutersRepository } from './routers.repository.js';

/** Greatest number of a version. */
const MOST = 2 ** 31 - 1;

/** The part of the list that a request asks for. */
export interface VersionPageRequest extends PageRange {
  /** The `next` of the page before; not together with an offset. */
  readonly after: string | undefined;
}

/** Reads the versions of routers (contract section 6). */
@Injectable()
export class RouterVersionsService {
  constructor(
    private readonly database: Database,
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionsRepository,
    private readonly reader: RouterVersionReader,
    private readonly directory: DirectoryRepository,
  ) {}

  /**
   * Returns one page of a router's versions, newest first.
   * @throws 404 for an unknown router; 400 for a bad `after`, or one together with an offset
   */
  list(
    account: AccountContext,
    id: string,
    { after, ...range }: VersionPageRequest,
  ): Promise<Page<RouterVersionView>> {
    const start = pageStart(after, range.offset);
    return this.database.for(account).read(async (db) => {
      const { id: routerId } = await this.router(db, account, id);
      const asked = { routerId, ...range, behind: start === undefined ? undefined : numberBehind(start) };
      const { versions, count, more } = await this.versions.list(db, account, asked);
      const last = versions.at(-1);
      const next = last === undefined || !more ? null : cursorBehind(idOfNumber(last.version));
      return cursorPage(versions.map(routerVersionView), range, { count, next });
    });
  }

  /** Returns one version with the router as it was. @throws 404 for an unknown router or version */
  get(account: AccountContext, id: string, version: string): Promise<RouterVersionItem> {
    return inSnapshot(this.database, account, async (tx) => {
      const router = await this.router(tx, account, id);
      const found = await this.reader.find(tx, account, { router, version: numberOf(version) });
      const then = routerOfVersion(router, found);
      const directory = await this.directory.loadSome(tx, account, idsOf([then]));
      return { ...routerVersionView(found), router: routerView(then, directory) };
    });
  }

  private async router(db: EntityReader, account: AccountContext, id: string): Promise<RouterEntity> {
    const router = isId(id) ? await this.routers.find(db, account, id) : null;
    if (router === null) throw notFound('Router not found');
    return router;
  }
}

/** The number of a version in the form of an id, for which a cursor stands. */
function idOfNumber(version: number): string {
  return `00000000-0000-0000-0000-${version.toString(16).padStart(12, '0')}`;
}

/** The number in a cursor. That of another list stands behind no version. */
function numberBehind(id: string): number {
  const number = Number(`0x${id.replaceAll('-', '')}`);
  return Math.min(number, MOST);
}

/** The number in a path. @throws 404 for a text that names no version */
function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('Version not found');
  return Number(text);
}
