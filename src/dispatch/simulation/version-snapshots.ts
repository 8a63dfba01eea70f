import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { invalid, notFound } from '../../errors/errors.js';
import {
  RoutersRepository,
  RouterValidator,
  RouterVersionsRepository,
  withContent,
  type RouterEntity,
  type SentRouter,
  type StoredVersion,
  type VersionChoice,
} from '../../routers/index.js';
import { RouterSnapshots, type RouterSnapshot } from '../snapshot/router-snapshots.js';

/** A router, and which of its versions is to run. */
export interface VersionedRouter {
  readonly routerId: string;
  /** The live one unless given. */
  readonly version?: VersionChoice | undefined;
}

/** Makes snapshots of routers in any version, for simulations. */
@Injectable()
export class VersionSnapshots {
  constructor(
    private readonly database: Database,
    private readonly snapshots: RouterSnapshots,
    private readonly versions: RouterVersionsRepository,
    private readonly validator: RouterValidator,
    private readonly routers: RoutersRepository,
  ) {}

  /**
   * Returns the live version as dispatches run it, or another one as if it were published.
   * @throws DomainError 404 for an unknown router or version, 400 for one that cannot be published any more
   */
  async get(
    account: AccountContext,
    configuration: AccountConfiguration,
    { routerId, version = 'live' }: VersionedRouter,
  ): Promise<RouterSnapshot> {
    if (version === 'live') return this.snapshots.get(account, configuration, routerId);
    const router = configuration.routers.get(routerId);
    if (router === undefined) throw notFound('Router not found');
    const asked = { router, version };
    const found = await this.database.for(account).read((db) => this.versions.read(db, account, asked));
    this.requireSound(found, configuration);
    return this.published(account, configuration, found);
  }

  /**
   * Returns what a PATCH would make of the draft, as if it were published; undefined where that is refused,
   * as the failures of `sent` say then. @throws DomainError 404 for an unknown router
   */
  async edited(
    account: AccountContext,
    configuration: AccountConfiguration,
    { routerId, sent }: { readonly routerId: string; readonly sent: SentRouter },
  ): Promise<RouterSnapshot | undefined> {
    const known = configuration.routers.has(routerId);
    const router =
      known &&
      (await this.database.for(account).read((db) => this.routers.findWithDraft(db, account, routerId)));
    if (!router) throw notFound('Router not found');
    const wanted = this.validator.sent(sent, router, configuration);
    if (wanted === undefined) return undefined;
    return this.published(account, configuration, withContent(router, wanted.content));
  }

  private published(
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
  ): RouterSnapshot {
    const { id } = router;
    const routers = new Map(configuration.routers).set(id, withContent(router, router, { published: true }));
    return this.snapshots.get(account, { ...configuration, routers }, id);
  }

  private requireSound(router: StoredVersion, { catalog, directory }: AccountConfiguration): void {
    const errors = this.validator.check(router, catalog, directory).map(({ field, message }) => ({
      field: 'version',
      message: `This version cannot be published: ${field === undefined ? '' : `${field}: `}${message}`,
    }));
    if (errors.length > 0) throw invalid(errors);
  }
}
