import { Controller, Header, HttpCode, Post } from '@nestjs/common';
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
import { TokenService, type TokenResponse } from './token.service.js';

const refusal = (status: number, description: string): MethodDecorator =>
  ApiResponse({ status, description, schema: reference('TokenError') });

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
  @refusal(400, 'Something in the request is invalid')
  @refusal(401, 'Unknown client or wrong secret')
  @refusal(405, 'The path has no such method: `Allow` names those it has')
  @refusal(413, 'The body is too large')
  @refusal(415, 'The body is not of the right media type')
  @refusal(429, 'Unknown client or wrong secret, after many failures from this address')
  @ApiErrors()
  issue(@TokenRequestOf() request: TokenRequest, @ClientNetwork() address: string): Promise<TokenResponse> {
    return this.tokens.issue(request, address);
  }
}
