import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { ACCOUNT_TOKEN } from '../secrets.js';

/** What is used of a request of Express. */
export type PersonRequest = Pick<IncomingMessage, 'headers'> & { readonly secure?: boolean };

/** What a cookie is for: a session, or a sign-in that is under way. */
type CookieKind = 'session' | 'sign-in';

/** Their names, and what they have: of a sign-in, what is asked for when it ends, in base64url. */
const COOKIES: Readonly<Record<CookieKind, { readonly name: string; readonly token: RegExp }>> = {
  session: { name: 'fairlead', token: ACCOUNT_TOKEN },
  'sign-in': { name: 'fairlead-sign-in', token: /^[A-Za-z0-9_-]{1,4000}$/ },
};

interface CookieContent {
  /** Without one the cookie ends. */
  readonly token?: string;
  /** Without them it lasts until the browser is closed. */
  readonly seconds?: number;
}

/** A machine's own names for itself, to which browsers speak without TLS. */
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

type SiteSettings = Pick<Settings, 'CONSOLE' | 'CONSOLE_URL' | 'OIDC_ISSUER' | 'PORT'>;

/** Where the console is, and what requests its pages send (contract section 12). */
@Injectable()
export class ConsoleSite {
  readonly isOn: boolean;
  /** Whether people enter by a provider, too. */
  readonly hasProvider: boolean;
  /** Of the service, without a slash at its end. */
  readonly address: string;
  private readonly url: URL | undefined;

  constructor(@Inject(SETTINGS) settings: SiteSettings) {
    const { CONSOLE, CONSOLE_URL, OIDC_ISSUER, PORT } = settings;
    this.isOn = CONSOLE === 'on';
    this.hasProvider = OIDC_ISSUER !== undefined;
    this.url = CONSOLE_URL === undefined ? undefined : new URL(CONSOLE_URL);
    this.address = (CONSOLE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
  }

  /** The path under which browsers have the service, as CONSOLE_URL says it: without a slash at its end. */
  get prefix(): string | undefined {
    return this.url?.pathname.replace(/\/+$/, '');
  }

  /** Whether a page of the console has sent a request: no other site can make a browser do so. */
  sends({ headers }: PersonRequest): boolean {
    if (headers['x-fairlead-console'] !== '1') return false;
    const { origin, host, 'sec-fetch-site': site } = headers;
    if (site !== undefined) return site === 'same-origin';
    if (origin === undefined) return false;
    if (this.url !== undefined) return origin === this.url.origin;
    return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  }

  /** Whether a page has sent a request by itself, that nobody has touched for a while. */
  isIdle({ headers }: PersonRequest): boolean {
    return headers['x-fairlead-idle'] === '1';
  }

  /** Returns the token of a cookie; undefined where the request has none, or no such one. */
  tokenOf(request: PersonRequest, kind: CookieKind): string | undefined {
    const name = this.cookieName(request, kind);
    for (const part of request.headers.cookie?.split(';') ?? []) {
      const [key = '', value = ''] = part.split('=', 2);
      if (key.trim() === name) return COOKIES[kind].token.test(value.trim()) ? value.trim() : undefined;
    }
    return undefined;
  }

  /** Returns a `Set-Cookie`. */
  cookie(request: PersonRequest, kind: CookieKind, content: CookieContent): string {
    const { token, seconds } = content;
    const age = token === undefined ? 0 : seconds;
    return [
      `${this.cookieName(request, kind)}=${token ?? ''}`,
      'Path=/; HttpOnly; SameSite=Lax',
      ...(this.isPlain(request) ? [] : ['Secure']),
      ...(age === undefined ? [] : [`Max-Age=${age}`]),
    ].join('; ');
  }

  private cookieName(request: PersonRequest, kind: CookieKind): string {
    return `${this.isPlain(request) ? '' : '__Host-'}${COOKIES[kind].name}`;
  }

  /** Whether the browser speaks to its own machine without TLS, where some take no secure cookie. */
  private isPlain({ headers, secure = false }: PersonRequest): boolean {
    return this.url === undefined ? !secure && LOCAL.test(headers.host ?? '') : this.url.protocol === 'http:';
  }
}
