import { Controller, Header, HttpCode, Post } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { errorObject } from '../errors/error-object.js';
import { invalidField } from '../errors/errors.js';
import {
  ApiBasicAuth,
  ApiBody,
  ApiConsumes,
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  ClientNetwork,
  reference,
} from '../http/index.js';
import { TOKEN_REQUESTS } from './auth.schemas.js';
import { Public } from './decorators.js';
import { TOKEN_ENDPOINT, TokenRequestOf, type TokenRequest } from './token-request.js';
import { describeTokenError, invalidClient, tooManyFailures } from './token-errors.js';
import { TokenService, type TokenResponse } from './token.service.js';

/** Documents the refusals of a status, by one of them. */
function refusal(refused: DomainError, description = refused.message): MethodDecorator {
  const error = describeTokenError(refused);
  const value = { ...errorObject(error), request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e' };
  const content = { schema: reference('TokenError'), examples: { [error.code]: { value } } };
  return ApiResponse({ status: error.status, description, content: { 'application/json': content } });
}

/** The token endpoint. Its errors have the form of RFC 6749, see `TOKEN_ENDPOINT`. */
@ApiTags('Authentication')
@Controller(TOKEN_ENDPOINT.path)
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  /** Exchanges client credentials for an access token (clause 4.1). */
  @Public()
  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Exchange client credentials for an access token',
    operationId: 'issueToken',
    description:
      'The credentials are in the body or in HTTP Basic, not in both. Without `scope` the token has all scopes of ' +
      'the client. Errors have the words of RFC 6749 in `error_code`.',
  })
  @ApiSecurity({})
  @ApiBasicAuth()
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBody({ required: false, schema: reference('TokenRequest'), examples: TOKEN_REQUESTS })
  @ApiResponse({ status: 200, description: 'A token', schema: reference('Token') })
  @refusal(invalidField('client_secret', 'client_secret is required'), 'Something in the request is invalid')
  @refusal(invalidClient(true))
  @refusal(new DomainError('method_not_allowed', 'The path has no such method: `Allow` names those it has'))
  @refusal(new DomainError('too_large', 'The body is too large'))
  @refusal(new DomainError('unsupported_media_type', 'The body is not of the right media type'))
  @refusal(tooManyFailures(42), 'Unknown client or wrong secret, after many failures from this address')
  @ApiErrors()
  issue(@TokenRequestOf() request: TokenRequest, @ClientNetwork() address: string): Promise<TokenResponse> {
    return this.tokens.issue(request, address);
  }
}
