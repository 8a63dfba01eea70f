/** What the provider says of somebody. */
export interface Claims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly groups?: unknown;
}

const ADDRESS = 'http://localhost:7777';

interface Started {
  readonly issuer: string;
  stop(): Promise<void>;
}

interface Providers {
  readonly settingsOf: (issuer: string, address: string) => Record<string, string>;
  readonly startProvider: (options: { person: () => Claims; address: string }) => Promise<Started>;
}

/** The company's provider of OpenID Connect on a free port. It asks nobody for a password. */
export class TestProvider {
  /** Whom it signs in, until another is set. */
  person: Claims = { sub: 'nobody' };
  /** Of a service that knows it. */
  settings: Record<string, string> = {};
  private started!: Started;

  static async start(): Promise<TestProvider> {
    // It warns of what no test needs.
    for (const word of ['info', 'warn'] as const) jest.spyOn(console, word).mockReturnValue();
    // @ts-expect-error It has no types of its own.
    const { settingsOf, startProvider }: Providers = await import('../../scripts/support/provider.mjs');
    const test = new TestProvider();
    test.started = await startProvider({ person: () => test.person, address: ADDRESS });
    test.settings = settingsOf(test.issuer, ADDRESS);
    return test;
  }

  get issuer(): string {
    return this.started.issuer;
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

  stop(): Promise<void> {
    return this.started.stop();
  }
}
