import { Inject, Injectable } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { ConsoleSite, type ProviderPerson } from '../../auth/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { normalizeEmail } from '../../text/email-key.js';
import { textProblem } from '../../text/text-problem.js';
import type { SignIn } from './sign-in.js';

type Client = typeof import('openid-client');
type Claims = Readonly<Record<string, unknown>>;

/** Seconds for which each answer of the provider is waited for: all of them fit into one request. */
const TIMEOUT = 4;

/** Milliseconds after which the addresses of the provider are asked for again. */
const KNOWN_FOR = 3_600_000;

/** Most groups of a person that are looked at. */
const MOST_GROUPS = 1_000;

/** The path of the service to which the provider sends the browser back. */
export const CALLBACK = '/console/oidc/callback';

/**
 * The company's provider of OpenID Connect, asked by the authorization code flow with PKCE. What it says of a
 * person comes from its token endpoint over TLS, and no token of it is kept.
 */
@Injectable()
export class Provider {
  private known: Promise<Configuration> | undefined;
  private knownSince = 0;

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<
      Settings,
      'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_ROLES_CLAIM'
    >,
    private readonly site: ConsoleSite,
  ) {}

  /** Begins a sign-in. @returns it, and where the browser goes @throws Error where the provider is away */
  async begin(path: string): Promise<{ readonly signIn: SignIn; readonly url: string }> {
    const client = await import('openid-client');
    const configuration = await this.configuration(client);
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.site.address + CALLBACK,
      scope: ['openid', 'email', 'profile', ...this.groupScope(configuration)].join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { signIn: { state, nonce, verifier, path }, url: url.href };
  }

  /**
   * Ends a sign-in: exchanges the code for what the provider says of the person.
   * @param query of the address to which the provider has sent the browser, with its `?`
   * @throws Error of openid-client where anything is not as it must be
   */
  async end(query: string, { state, nonce, verifier }: SignIn): Promise<ProviderPerson> {
    const client = await import('openid-client');
    const configuration = await this.configuration(client);
    const tokens = await client.authorizationCodeGrant(
      configuration,
      new URL(this.site.address + CALLBACK + query),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The provider has sent no ID token');
    const wanted = ['email', 'email_verified', this.settings.OIDC_ROLES_CLAIM];
    const isWhole = wanted.every((name) => name === undefined || claims[name] !== undefined);
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    const more =
      isWhole || endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return this.person({ ...more, ...claims });
  }

  private person(claims: Claims): ProviderPerson {
    const { iss, sub, email, email_verified: isVerified } = claims;
    const [issuer, subject] = [storable(iss), storable(sub)];
    if (issuer === undefined || subject === undefined) throw new Error('The provider names nobody');
    const { OIDC_ROLES_CLAIM: claim } = this.settings;
    const groups = claim === undefined ? [] : [claims[claim]].flat();
    const sent = storable(email);
    return {
      issuer,
      subject,
      email: sent === undefined ? undefined : normalizeEmail(sent),
      isVerified: isVerified === true && sent !== undefined,
      groups: groups.flatMap((group) => storable(group) ?? []).slice(0, MOST_GROUPS),
    };
  }

  /** Some providers tell groups only where a scope with the name of the claim is asked for. */
  private groupScope(configuration: Configuration): string[] {
    const { OIDC_ROLES_CLAIM: claim = '' } = this.settings;
    return configuration.serverMetadata().scopes_supported?.includes(claim) === true ? [claim] : [];
  }

  private configuration(client: Client): Promise<Configuration> {
    const now = performance.now();
    if (this.known === undefined || now - this.knownSince > KNOWN_FOR) {
      this.knownSince = now;
      const known = this.discover(client);
      this.known = known;
      known.catch(() => (this.known = undefined));
    }
    return this.known;
  }

  private async discover(client: Client): Promise<Configuration> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = this.settings;
    const issuer = new URL(OIDC_ISSUER);
    const execute = unsecured(client, issuer);
    const options = { execute, timeout: TIMEOUT };
    const found = await client.discovery(issuer, OIDC_CLIENT_ID, undefined, undefined, options);
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } =
      found.serverMetadata();
    const takesPost = methods.includes('client_secret_post');
    const auth = (takesPost ? client.ClientSecretPost : client.ClientSecretBasic)(OIDC_CLIENT_SECRET);
    const configuration = new client.Configuration(found.serverMetadata(), OIDC_CLIENT_ID, undefined, auth);
    configuration.timeout = TIMEOUT;
    for (const allow of execute) allow(configuration);
    return configuration;
  }
}

/** Returns what lets an issuer of this machine be asked without TLS. The setting takes no other. */
const unsecured = (client: Client, { protocol }: URL): ((of: Configuration) => void)[] =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked so that it stands out
  protocol === 'http:' ? [client.allowInsecureRequests] : [];

/** Returns a text that can be stored and compared; undefined for anything else. */
function storable(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= 254;
  return isText && textProblem(value) === undefined ? value : undefined;
}
