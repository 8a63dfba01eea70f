import { Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiBasicAuth, ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { NoQueryParameters } from '../http/index.js';
import { Public } from './public.decorator.js';
import { TOKEN_ENDPOINT } from './token-endpoint.js';
import { TokenRequestOf, TokenRequestPipe } from './token-request.pipe.js';
import type { TokenRequest } from './token-request.js';
import { TokenService, type TokenResponse } from './token.service.js';

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

@ApiTags('Authentication')
@Controller(TOKEN_ENDPOINT.path)
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  /** Exchanges client credentials for an access token (clause 4.1). */
  @Public()
  @NoQueryParameters()
  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Exchange client credentials for an access token', operationId: 'issueToken' })
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBasicAuth()
  @ApiBody({ required: false, schema: ref('TokenRequest') })
  @ApiResponse({ status: 200, description: 'Done', schema: ref('Token') })
  @ApiResponse({ status: 400, description: 'Something in the request is invalid', schema: ref('TokenError') })
  @ApiResponse({ status: 401, description: 'Unknown client or wrong secret', schema: ref('TokenError') })
  issue(@TokenRequestOf(TokenRequestPipe) request: TokenRequest): Promise<TokenResponse> {
    return this.tokens.issue(request);
  }
}
