import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the provider says of somebody. */
export interface Claims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly groups?: unknown;
}

const CLIENT = { client_id: 'fairlead', client_secret: 'the secret of fairlead at the provider' };

/** The settings of a service that knows a provider. */
export const settingsFor = (issuer: string): Record<string, string> => ({
  CONSOLE_URL: 'http://localhost:7777',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_ROLES_CLAIM: 'groups',
});

/** The company's provider of OpenID Connect on a free port. It asks nobody for a password. */
export class TestProvider {
  /** Whom it signs in, until another is set. */
  person: Claims = { sub: 'nobody' };

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<TestProvider> {
    // It warns of what no test needs.
    for (const word of ['info', 'warn'] as const) jest.spyOn(console, word).mockReturnValue();
    // @ts-expect-error It has no types of its own.
    const { Provider } = await import('oidc-provider');
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const test = new TestProvider(issuer, server);
    const provider = new Provider(issuer, {
      clients: [{ ...CLIENT, redirect_uris: ['http://localhost:7777/console/oidc/callback'] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'], profile: ['name'] },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...test.person, sub }) }),
      // Nobody is asked for consent either.
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }: any) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client.clientId,
          accountId: oidc.session.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return void callback(request, response);
      const login = { accountId: test.person.sub };
      const result = test.person.sub === 'denied' ? { error: 'access_denied' } : { login };
      provider.interactionFinished(request, response, result).catch(() => response.destroy());
    });
    return test;
  }

  /** Signs the person in, as a browser does that follows every redirection. @returns where it is sent back */
  async signIn(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let next = new URL(url);
    while (next.origin === this.issuer) {
      const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { Cookie } });
      for (const cookie of answer.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${answer.status} at ${next.href}: ${await answer.text()}`);
      next = new URL(location, next);
    }
    return next;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
