import type { Role } from '../../src/auth/index.js';
import { MemberAccessService } from '../../src/management/index.js';
import { ApiClient, type ApiResponse, type RequestOptions } from './api-client.js';
import type { TestService } from './test-service.js';

/** The headers of a request that a page of the console sends. */
export const OF_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Fairlead-Console': '1' };

/** Makes a one-time link for a member of an account. @returns its secret */
export async function linkFor(
  service: TestService,
  slug: string,
  person: { readonly email: string; readonly role?: Role },
): Promise<string> {
  const by = { ...(await service.account(slug)), command: 'console link' };
  const { url } = await service.app.get(MemberAccessService, { strict: false }).invite(by, person);
  return url.split('#')[1]!;
}

/** Returns the cookie that an answer sets, as a browser sends it back. @param name of the cookie */
export function cookieOf({ headers }: Pick<ApiResponse, 'headers'>, name = 'fairlead'): string | undefined {
  const pattern = new RegExp(`(?:^|, )(${name}=[^;]*)`);
  return pattern.exec(headers.get('set-cookie') ?? '')?.[1];
}

/** A browser that has a page of the console open, of somebody who has entered. */
export class Person extends ApiClient {
  constructor(
    url: string,
    readonly cookie: string,
    private readonly headers: Readonly<Record<string, string>> = OF_PAGE,
  ) {
    super(url);
  }

  /** Enters by a one-time link. */
  static async enter(
    service: TestService,
    slug: string,
    person: { readonly email: string; readonly role?: Role },
  ): Promise<Person> {
    const token = await linkFor(service, slug, person);
    const answer = await service.anonymous.post('/console/session', { token }, { headers: OF_PAGE });
    if (answer.status !== 200) throw new Error(`Not entered: ${JSON.stringify(answer.body)}`);
    return new Person(service.url, cookieOf(answer)!);
  }

  /** The same browser, with other headers than those of a page. */
  sending(headers: Readonly<Record<string, string>>): Person {
    return new Person(this.baseUrl, this.cookie, headers);
  }

  override request(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<ApiResponse> {
    const headers = { Cookie: this.cookie, ...this.headers, ...options.headers };
    return super.request(method, path, body, { ...options, headers });
  }
}
