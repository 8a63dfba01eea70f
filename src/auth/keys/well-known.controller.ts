import { Controller, Get, Header, Inject } from '@nestjs/common';
import { notFound } from '../../errors/errors.js';
import {
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiTags,
  NoQueryParameters,
  reference,
} from '../../http/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { Public } from '../decorators.js';
import { SCOPES } from '../scope.js';
import { TOKEN_ENDPOINT } from '../token-request.js';
import { TOKEN_KEYS, type TokenKeys } from './token-keys.js';

/** The path of the public keys (RFC 8615). */
const JWKS_PATH = '/.well-known/jwks.json';

/** Returns the metadata of a service whose issuer is its address (RFC 8414 section 2). */
export function authorizationServer(issuer: string) {
  return {
    issuer,
    token_endpoint: `${issuer}${TOKEN_ENDPOINT.path}`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    // There is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

/** What others need to get and to verify access tokens. Known only where a private key signs them. */
@ApiTags('Authentication')
@Controller('.well-known')
export class WellKnownController {
  constructor(
    @Inject(TOKEN_KEYS) private readonly tokenKeys: TokenKeys,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'JWT_ISSUER'>,
  ) {}

  /** The keys that verify access tokens, the one that signs first (RFC 7517). @throws 404 with HS256 */
  @Public()
  @NoQueryParameters()
  @Get('jwks.json')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    summary: 'The public keys of access tokens',
    operationId: 'readKeys',
    description: 'A JWK set (RFC 7517), the key that signs first. 404 where a shared secret signs tokens.',
  })
  @ApiResponse({ status: 200, description: 'Done', schema: reference('KeySet') })
  @ApiErrors(400, 404)
  keys(): { keys: readonly Readonly<Record<string, string>>[] } {
    this.requireKeys();
    return { keys: this.tokenKeys.published.map(({ jwk }) => jwk) };
  }

  /** The metadata of the authorization server (RFC 8414). @throws 404 with HS256 */
  @Public()
  @NoQueryParameters()
  @Get('oauth-authorization-server')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Where and how tokens are issued',
    operationId: 'readAuthorizationServer',
    description: 'The metadata of RFC 8414. 404 where a shared secret signs tokens.',
  })
  @ApiResponse({ status: 200, description: 'Done', schema: reference('AuthorizationServer') })
  @ApiErrors(400, 404)
  authorizationServer(): ReturnType<typeof authorizationServer> {
    this.requireKeys();
    return authorizationServer(this.settings.JWT_ISSUER);
  }

  private requireKeys(): void {
    if (this.tokenKeys.signing.kid === undefined)
      throw notFound('The access tokens of this service have no public keys');
  }
}
