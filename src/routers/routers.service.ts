import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { notFound } from '../errors/errors.js';
import { page, type Page, type PageRequest } from '../http/index.js';
import { routerView, type RouterView } from './router-view.js';
import { RoutersRepository } from './routers.repository.js';

/** Reads routers for the clients of their account (clause 4.5). */
@Injectable()
export class RoutersService {
  constructor(
    private readonly database: Database,
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
  ) {}

  /** Returns one page of routers in creation order. */
  list(account: AccountContext, request: PageRequest): Promise<Page<RouterView>> {
    return this.database.read(async () => {
      const { routers, count } = await this.routers.list(this.database, account, request);
      const directory = await this.directory.load(this.database, account, []);
      return page(
        routers.map((router) => routerView(router, directory)),
        request,
        count,
      );
    });
  }

  /** Returns one router, archived or not. @throws 404 */
  get(account: AccountContext, id: string): Promise<RouterView> {
    return this.database.read(async () => {
      const router = isId(id) ? await this.routers.find(this.database, account, id) : null;
      if (router === null) throw notFound('Router not found');
      return routerView(router, await this.directory.load(this.database, account, []));
    });
  }
}
