import { Injectable } from '@nestjs/common';
import {
  ConsoleSite,
  isAccountToken,
  newAccountToken,
  PeopleRepository,
  type Identity,
  type KnownMember,
  type MemberElsewhere,
  type Session,
  Sessions,
  SharedLookups,
  tokenKey,
  type TokenKey,
} from '../auth/index.js';
import { Database, type Transaction } from '../database/index.js';
import { invalidField, rateLimited, unauthorized } from '../errors/errors.js';
import { AuditRepository } from '../management/index.js';
import { FailedAttempts } from '../throttles/index.js';
import type { Visitor } from './visitor.js';

/** What a page of the console may know of the session of its browser. */
export interface SessionView {
  readonly signed_in: boolean;
  readonly idle_until: string | null;
  readonly ends_at: string | null;
  /** Whether people enter by the provider, too. */
  readonly oidc: boolean;
  /** The accounts that a person may enter whom the provider has named. */
  readonly accounts: readonly { readonly id: string; readonly slug: string; readonly name: string }[];
}

/** A member who enters, leaves, or is refused, and how the provider has named them. */
interface Entrant extends KnownMember {
  readonly identity?: Identity | undefined;
}

/** Opens and ends sessions, by the audit of the account (contract section 12). */
@Injectable()
export class SessionService {
  private readonly links: SharedLookups<true>;
  /** The other accounts of persons, as long as their sessions are believed to go on. */
  private readonly elsewhere = new WeakMap<Session, Promise<MemberElsewhere[]>>();

  constructor(
    private readonly database: Database,
    private readonly people: PeopleRepository,
    private readonly audit: AuditRepository,
    private readonly failures: FailedAttempts,
    private readonly site: ConsoleSite,
    private readonly sessions: Sessions,
  ) {
    this.links = new SharedLookups((keys, accountId) => people.findLinks(database, { accountId }, keys));
  }

  /**
   * Uses a one-time link. A good one is accepted from any address.
   * @returns the token of a new session
   * @throws 401 for one that is used, late or unknown; 429 in its place after too many failures
   */
  async enterByLink(token: string, visitor: Visitor): Promise<string> {
    const opened = isAccountToken(token) ? await this.useLink(tokenKey(token), visitor) : undefined;
    if (opened !== undefined) return opened;
    const seconds = this.countFailure(visitor);
    throw seconds === undefined
      ? unauthorized('Unauthorized: this link was used, is too old, or never was one')
      : rateLimited('Too many failed attempts from this address', seconds);
  }

  /** Counts a failed attempt. @returns the seconds to wait where there are too many of the address */
  countFailure({ address }: Visitor): number | undefined {
    return this.failures.add(address);
  }

  /** Opens a session of the first member who may still enter. @returns its token */
  async openFirst(members: readonly Entrant[], visitor: Visitor): Promise<string | undefined> {
    return this.scoped(visitor).transaction(async (tx) => {
      for (const member of members) {
        const token = await this.open(tx, member, visitor.requestId);
        if (token !== undefined) return token;
      }
      return undefined;
    });
  }

  /** Notes that somebody was not let in as some members. */
  async refuse(members: readonly Entrant[], visitor: Visitor): Promise<void> {
    const { requestId } = visitor;
    await this.scoped(visitor).transaction(async (tx) => {
      for (const member of members) await this.note(tx, member, { action: 'refuse', requestId });
    });
  }

  /** Opens a session of a member. @returns its token; undefined where they may not enter any more */
  private async open(tx: Transaction, member: Entrant, requestId: string): Promise<string | undefined> {
    const token = newAccountToken(member);
    const { memberId, identity } = member;
    if (!(await this.people.openSession(tx, member, { memberId, identity, token }))) return undefined;
    await this.note(tx, member, { action: 'enter', requestId });
    return token;
  }

  /** Opens a session in another account of the person. @throws 400 for one that is not theirs; 401 */
  async change(accountId: string, visitor: Visitor): Promise<string> {
    const session = await this.sessions.use(visitor.request, visitor.answer);
    const token = await this.scoped(visitor).transaction(async (tx) => {
      const accounts = session.byProvider ? await this.people.accountsOf(tx, session) : [];
      const member = accounts.find((each) => each.accountId === accountId.toLowerCase());
      return member === undefined ? undefined : this.open(tx, member, visitor.requestId);
    });
    if (token === undefined) throw invalidField('account', 'account must be one of those of the session');
    return token;
  }

  /** Gives the browser a new session, which takes the place of the one before. @param cookie another one */
  async replace(token: string, visitor: Visitor, ...cookie: readonly string[]): Promise<void> {
    const before = await this.sessions.ofCookie(visitor.request);
    if (before !== undefined) await this.people.endSession(this.scoped(visitor), before);
    const own = this.site.cookie(visitor.request, 'session', { token });
    visitor.answer.setHeader('Set-Cookie', [own, ...cookie]);
  }

  /** As `replace`. @returns what the browser is told of it */
  async begin(token: string, visitor: Visitor): Promise<SessionView> {
    await this.replace(token, visitor);
    const key = tokenKey(token);
    const found = await this.people.findSessions(this.scoped(visitor), key, [key.hash]);
    return this.view(found.get(key.hash), visitor);
  }

  /** Returns what the browser is told of its session. */
  async describe(visitor: Visitor): Promise<SessionView> {
    return this.view(await this.sessions.find(visitor.request), visitor);
  }

  /** Ends the session of the browser, if it has one. */
  async end(visitor: Visitor): Promise<void> {
    const session = await this.sessions.find(visitor.request);
    visitor.answer.setHeader('Set-Cookie', this.site.cookie(visitor.request, 'session', {}));
    if (session === undefined) return;
    await this.scoped(visitor).transaction(async (tx) => {
      if (!(await this.people.endSession(tx, session))) return;
      await this.note(tx, session, { action: 'leave', requestId: visitor.requestId });
    });
    this.sessions.forget(visitor.request);
  }

  /** Notes in the audit what a member does, or is refused. */
  private async note(
    tx: Transaction,
    { accountId, memberId: id, email: name }: KnownMember,
    { action, requestId }: { readonly action: 'enter' | 'leave' | 'refuse'; readonly requestId: string },
  ): Promise<void> {
    const author = { kind: 'user' as const, id, name, requestId };
    const changes = [{ action, object: { kind: 'member' as const, id, name }, values: [] }];
    await this.audit.insert(tx, { accountId }, { author, changes });
  }

  private async view(session: Session | undefined, visitor: Visitor): Promise<SessionView> {
    const known = session?.byProvider === true ? await this.accountsOf(session, visitor) : [];
    return {
      signed_in: session !== undefined,
      idle_until: session?.idleUntil.toISOString() ?? null,
      ends_at: session?.endsAt.toISOString() ?? null,
      oidc: this.site.hasProvider,
      accounts: known.map(({ accountId, slug, name }) => ({ id: accountId, slug, name })),
    };
  }

  private accountsOf(session: Session, visitor: Visitor): Promise<MemberElsewhere[]> {
    const known = this.elsewhere.get(session) ?? this.people.accountsOf(this.scoped(visitor), session);
    this.elsewhere.set(session, known);
    return known;
  }

  /** The database, for work that ends before the request must be answered. */
  private scoped({ deadline }: Visitor): Database {
    return this.database.for({ deadline });
  }

  private async useLink(key: TokenKey, visitor: Visitor): Promise<string | undefined> {
    const { requestId } = visitor;
    if ((await this.links.find(key.hash, key.accountId)) === undefined) return undefined;
    return this.scoped(visitor).transaction(async (tx) => {
      const link = await this.people.useLink(tx, key);
      if (link === undefined) return undefined;
      if (link.isGood) return this.open(tx, link, requestId);
      await this.note(tx, link, { action: 'refuse', requestId });
      return undefined;
    });
  }
}
