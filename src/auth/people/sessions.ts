import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../database/index.js';
import { unauthorized } from '../../errors/errors.js';
import { Throttles } from '../../throttles/index.js';
import { SharedLookups } from '../shared-lookups.js';
import { tokenKey, type TokenKey } from '../secrets.js';
import { ConsoleSite, type PersonRequest } from './console-site.js';
import { PeopleRepository, type Session } from './people.repository.js';

/** Milliseconds for which a session is believed to go on. The contract allows 5 s until it has ended. */
const BELIEVED_FOR = 2_000;

/**
 * Finds the sessions of persons' requests. The database is asked at most once in two seconds for each
 * cookie, by one statement of each account, and one at a time, whoever makes them up.
 */
@Injectable()
export class Sessions {
  private readonly lookups: SharedLookups<Session>;
  /** By the hash of the cookie, in hex. */
  private readonly known: LRUCache<string, { session: Session | undefined; touched?: true }, string>;

  constructor(
    private readonly database: Database,
    private readonly people: PeopleRepository,
    private readonly site: ConsoleSite,
    private readonly throttles: Throttles,
  ) {
    this.lookups = new SharedLookups((keys, accountId) => people.findSessions(database, { accountId }, keys));
    this.known = new LRUCache({
      max: 10_000,
      ttl: BELIEVED_FOR,
      // Who waits while a session is forgotten is told what was found, which is not kept.
      ignoreFetchAbort: true,
      fetchMethod: async (hash, _, { context }) => ({ session: await this.lookups.find(hash, context) }),
    });
  }

  /** Returns the session of a request that a page of the console has sent; undefined where it has none. */
  async find(request: PersonRequest): Promise<Session | undefined> {
    return this.site.sends(request) ? this.ofCookie(request) : undefined;
  }

  /** Returns the session of the browser that has sent a request, whatever has made it do so. */
  async ofCookie(request: PersonRequest): Promise<Session | undefined> {
    const key = this.keyOf(request);
    return key === undefined ? undefined : (await this.fetch(key))?.session;
  }

  /**
   * As `find`, counts the request for the throttles, and notes that the member does something, unless the
   * page says that nobody has touched it for a while.
   * @param answer gets the limit
   * @throws 401 without a session; 429
   */
  async use(request: PersonRequest, answer: Pick<ServerResponse, 'setHeader'>): Promise<Session> {
    const key = this.keyOf(request);
    if (key === undefined) throw unauthorized('Unauthorized: missing bearer token');
    if (!this.site.sends(request)) throw unauthorized('Unauthorized: no page of the console has sent this');
    const known = await this.fetch(key);
    if (known?.session === undefined) throw unauthorized('Unauthorized: the session has ended');
    const { accountId, id: clientId } = known.session;
    this.throttles.admit({ accountId, clientId }, answer);
    if (known.session.isStale && known.touched !== true && !this.site.isIdle(request)) {
      known.touched = true;
      await this.people.touch(this.database, known.session);
    }
    return known.session;
  }

  /** Forgets what is known of the session of a request, which has ended. */
  forget(request: PersonRequest): void {
    const key = this.keyOf(request);
    if (key !== undefined) this.known.delete(key.hash);
  }

  private fetch({ hash, accountId }: TokenKey) {
    return this.known.fetch(hash, { context: accountId });
  }

  private keyOf(request: PersonRequest): TokenKey | undefined {
    const token = this.site.isOn ? this.site.tokenOf(request, 'session') : undefined;
    return token === undefined ? undefined : tokenKey(token);
  }
}
