import { Inject, Injectable } from '@nestjs/common';
import { ConsoleSite, hashClientSecret, newClientSecret, SharedLookups } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { FailedAttempts } from '../../throttles/index.js';
import type { AnsweredVisit } from '../session.service.js';
import { SignInsRepository, type SignIn } from './sign-ins.repository.js';

/** Seconds in which a person has to sign in at the provider. */
const PATIENCE = 600;

/** How many sign-ins of one address may begin in the time of one that fails: an office has one address. */
const STARTS_PER_FAILURE = 10;

/** Keeps what a sign-in needs while the browser is at the provider, in a row that its cookie names. */
@Injectable()
export class SignIns {
  private readonly lookups: SharedLookups<true>;
  private readonly starts: FailedAttempts;

  constructor(
    private readonly database: Database,
    private readonly rows: SignInsRepository,
    private readonly site: ConsoleSite,
    @Inject(SETTINGS) settings: Pick<Settings, 'TOKEN_RATE_LIMIT_PER_ADDRESS'>,
  ) {
    this.lookups = new SharedLookups((keys) => rows.find(database, keys));
    this.starts = new FailedAttempts(STARTS_PER_FAILURE * settings.TOKEN_RATE_LIMIT_PER_ADDRESS);
  }

  /** Counts a sign-in that begins. @returns whether it may */
  mayBegin({ address }: AnsweredVisit): boolean {
    return this.starts.add(address) === undefined;
  }

  /** Keeps a sign-in, and gives the browser its cookie. */
  async keep(signIn: SignIn, visit: AnsweredVisit): Promise<void> {
    const token = newClientSecret();
    const { request, deadline, answer } = visit;
    await this.rows.add(this.database.for({ deadline }), hashClientSecret(token), signIn);
    answer.setHeader('Set-Cookie', this.site.cookie(request, 'sign-in', { token, seconds: PATIENCE }));
  }

  /** Takes the sign-in of the browser, once. Guesses are looked up together, one statement at a time. */
  async take({ request, deadline }: AnsweredVisit): Promise<SignIn | undefined> {
    const token = this.site.tokenOf(request, 'sign-in');
    if (token === undefined) return undefined;
    const hash = hashClientSecret(token);
    const isThere = (await this.lookups.find(hash.toString('hex'))) === true;
    return isThere ? this.rows.take(this.database.for({ deadline }), hash) : undefined;
  }
}
