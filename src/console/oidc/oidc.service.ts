import { Injectable, Logger } from '@nestjs/common';
import { ConsoleSite, type ProviderPerson, type Refusal } from '../../auth/index.js';
import { notFound } from '../../errors/errors.js';
import { MemberAccessService } from '../../management/index.js';
import { SessionService, type AnsweredVisit } from '../session.service.js';
import { Provider } from './provider.js';
import { SignIns } from './sign-ins.js';
import type { SignIn } from './sign-ins.repository.js';

/** Why a browser is sent back to the page of the entry, in its `refused`. */
type Refused = Refusal | 'denied' | 'failed' | 'rate_limited' | 'unavailable';

/** Words of openid-client for a provider that does not answer, or not as one. */
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** Lets people enter by the provider (contract section 12). Each answer is where the browser goes next. */
@Injectable()
export class OidcService {
  private readonly logger = new Logger(OidcService.name);

  constructor(
    private readonly signIns: SignIns,
    private readonly provider: Provider,
    private readonly members: MemberAccessService,
    private readonly sessions: SessionService,
    private readonly site: ConsoleSite,
  ) {}

  /** Sends a browser to the provider. @param path the page of the console that opens afterwards */
  async start(path: string, visit: AnsweredVisit): Promise<string> {
    this.requireProvider();
    if (!this.signIns.mayBegin(visit)) return this.refused('rate_limited');
    const begun = await this.asking(() => this.provider.begin(path));
    if (typeof begun === 'string') return this.refused(begun);
    await this.signIns.keep(begun.signIn, visit);
    return begun.url;
  }

  /** Takes a browser back from the provider. @param query that of the address, with its `?` */
  async finish(query: string, visit: AnsweredVisit): Promise<string> {
    this.requireProvider();
    const signIn = await this.signIns.take(visit);
    const why = signIn === undefined ? 'failed' : await this.enter(query, signIn, visit);
    if (signIn !== undefined && why === undefined) return `${this.site.prefix ?? ''}${signIn.path}`;
    const isBeyond = this.sessions.countFailure(visit) !== undefined;
    return this.refused(isBeyond ? 'rate_limited' : (why ?? 'failed'));
  }

  /** @returns why the person may not enter; undefined where they have */
  private async enter(query: string, signIn: SignIn, visit: AnsweredVisit): Promise<Refused | undefined> {
    const person = await this.asking(() => this.provider.end(query, signIn));
    if (typeof person === 'string') return person;
    const { deadline } = visit;
    const { members, refusals } = await this.members.admit(person, { deadline });
    const token = await this.sessions.openFirst(identified(members, person), visit);
    if (token !== undefined) {
      await this.sessions.replace(token, visit, this.site.cookie(visit.request, 'sign-in', {}));
      return undefined;
    }
    await this.sessions.refuse(
      refusals.flatMap(({ member }) => member ?? []),
      visit,
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
