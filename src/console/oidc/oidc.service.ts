import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ConsoleSite, type ProviderPerson, type Refusal } from '../../auth/index.js';
import { notFound } from '../../errors/errors.js';
import { MemberAccessService } from '../../management/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { FailedAttempts } from '../../throttles/index.js';
import { SessionService } from '../session.service.js';
import type { Visitor } from '../visitor.js';
import { Provider } from './provider.js';
import { cookieOfSignIn, signInOfCookie, type SignIn } from './sign-in.js';

/** Why a browser is sent back to the page of the entry, in its `refused`. */
type Refused = Refusal | 'denied' | 'failed' | 'rate_limited' | 'unavailable';

/** Words of openid-client for a provider that does not answer, or not as one. */
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** Seconds in which a person has to sign in at the provider. */
const PATIENCE = 600;

/** How many sign-ins of one address may begin in the time of one that fails: an office has one address. */
const STARTS_PER_FAILURE = 10;

/** Lets people enter by the provider (contract section 12). Each answer is where the browser goes next. */
@Injectable()
export class OidcService {
  private readonly logger = new Logger(OidcService.name);
  /** Sign-ins that begin, and those that end, of which the provider is asked. */
  private readonly starts: FailedAttempts;
  private readonly ends: FailedAttempts;
  /** The states of those that have ended here: providers undo the first use of a code that comes twice. */
  private readonly ended = new LRUCache<string, true>({ max: 10_000, ttl: PATIENCE * 1_000 });

  constructor(
    private readonly provider: Provider,
    private readonly members: MemberAccessService,
    private readonly sessions: SessionService,
    private readonly site: ConsoleSite,
    @Inject(SETTINGS) settings: Pick<Settings, 'TOKEN_RATE_LIMIT_PER_ADDRESS'>,
  ) {
    const most = STARTS_PER_FAILURE * settings.TOKEN_RATE_LIMIT_PER_ADDRESS;
    this.starts = new FailedAttempts(most);
    this.ends = new FailedAttempts(most);
  }

  /** Sends a browser to the provider. @param path the page of the console that opens afterwards */
  async start(path: string, visitor: Visitor): Promise<string> {
    this.requireProvider();
    if (this.starts.add(visitor.address) !== undefined) return this.refused('rate_limited');
    const begun = await this.asking(() => this.provider.begin(path));
    if (typeof begun === 'string') return this.refused(begun);
    const kept = { token: cookieOfSignIn(begun.signIn), seconds: PATIENCE };
    visitor.answer.setHeader('Set-Cookie', this.site.cookie(visitor.request, 'sign-in', kept));
    return begun.url;
  }

  /** Takes a browser back from the provider. @param query that of the address, with its `?` */
  async finish(query: string, visitor: Visitor): Promise<string> {
    this.requireProvider();
    const cookie = this.site.tokenOf(visitor.request, 'sign-in');
    const signIn = cookie === undefined ? undefined : signInOfCookie(cookie);
    const why = signIn === undefined ? 'failed' : await this.enter(query, signIn, visitor);
    if (signIn !== undefined && why === undefined) return `${this.site.prefix ?? ''}${signIn.path}`;
    const isBeyond = this.sessions.countFailure(visitor) !== undefined;
    return this.refused(isBeyond ? 'rate_limited' : (why ?? 'failed'));
  }

  /** @returns why the person may not enter; undefined where they have */
  private async enter(query: string, signIn: SignIn, visitor: Visitor): Promise<Refused | undefined> {
    if (this.ends.add(visitor.address) !== undefined) return 'rate_limited';
    if (this.ended.has(signIn.state)) return 'failed';
    this.ended.set(signIn.state, true);
    const person = await this.asking(() => this.provider.end(query, signIn));
    if (typeof person === 'string') return person;
    const { deadline } = visitor;
    const { members, refusals } = await this.members.admit(person, { deadline });
    const token = await this.sessions.openFirst(identified(members, person), visitor);
    if (token !== undefined) {
      await this.sessions.replace(token, visitor, this.site.cookie(visitor.request, 'sign-in', {}));
      return undefined;
    }
    await this.sessions.refuse(
      refusals.flatMap(({ member }) => member ?? []),
      visitor,
    );
    return refusals[0]?.why ?? 'unknown';
  }

  /** Asks the provider. @returns its answer, or why there is none */
  private async asking<T extends object>(ask: () => Promise<T>): Promise<T | Refused> {
    try {
      return await ask();
    } catch (error) {
      const { error: word, code = '', message } = error as Error & { readonly error?: string; code?: string };
      this.logger.warn(`No entry by the provider: ${[message, word, code].filter(Boolean).join(', ')}`);
      if (word === 'access_denied') return 'denied';
      return error instanceof TypeError || AWAY.has(code) ? 'unavailable' : 'failed';
    }
  }

  private refused(why: Refused): string {
    return `${this.site.prefix ?? ''}/console/enter?refused=${why}`;
  }

  /** @throws 404 */
  private requireProvider(): void {
    if (!this.site.hasProvider) throw notFound('Not found');
  }
}

const identified = <T extends object>(members: readonly T[], { issuer, subject }: ProviderPerson) =>
  members.map((member) => ({ ...member, identity: { issuer, subject } }));
