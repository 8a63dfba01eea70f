import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId, type Transaction } from '../database/index.js';
import { DirectoryRepository, type Directory } from '../directory/index.js';
import { notFound } from '../errors/errors.js';
import { pageStart, rowPage, type Page, type PageRequest } from '../paging/index.js';
import { inSnapshot } from './in-snapshot.js';
import { idsOf } from './router-pool.js';
import { RouterVersionReader, type VersionChoice } from './router-version-reader.js';
import type { RouterEntity } from './router.entity.js';
import { routerView, type RouterView } from './router-view.js';
import { RoutersRepository } from './routers.repository.js';

/** The part of the list that a request asks for. */
export interface RouterPageRequest extends PageRequest {
  /** The `next` of the page before; not together with an offset. */
  readonly after?: string | undefined;
}

/** Makes each view when it is asked for: those that do not fit on a page are never made. */
function* viewsOf(routers: readonly RouterEntity[], directory: Directory): Generator<RouterView> {
  for (const router of routers) yield routerView(router, directory);
}

/** Reads routers for the clients of their account (clause 4.5). */
@Injectable()
export class RoutersService {
  constructor(
    private readonly database: Database,
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly versions: RouterVersionReader,
  ) {}

  /**
   * Returns one page of routers in creation order. It has fewer than `limit` where its answer would exceed
   * 10 MiB, but at least one.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(account: AccountContext, { after, ...request }: RouterPageRequest): Promise<Page<RouterView>> {
    const behind = pageStart(after, request.offset);
    return inSnapshot(this.database, account, async (tx) => {
      const asked = { ...request, behind };
      const found = await this.routers.list(tx, account, asked);
      const directory = await this.directoryOf(tx, account, found.rows);
      return rowPage(viewsOf(found.rows, directory), request, found);
    });
  }

  /**
   * Returns one router, archived or not.
   * @param version the live one unless given
   * @throws 404 for an unknown router or version
   */
  get(account: AccountContext, id: string, version: VersionChoice = 'live'): Promise<RouterView> {
    return inSnapshot(this.database, account, async (tx) => {
      const found = isId(id) ? await this.routers.find(tx, account, id) : null;
      if (found === null) throw notFound('Router not found');
      const router = await this.versions.read(tx, account, { router: found, version });
      return routerView(router, await this.directoryOf(tx, account, [router]));
    });
  }

  /** The users and teams whom these routers name. */
  private directoryOf(
    tx: Transaction,
    account: AccountContext,
    routers: readonly RouterEntity[],
  ): Promise<Directory> {
    return this.directory.loadSome(tx, account, idsOf(routers));
  }
}
