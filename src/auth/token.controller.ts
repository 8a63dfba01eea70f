import { Body, Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBasicAuth, ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, QueryParameters, reference } from '../http/index.js';
import { Public } from './public.decorator.js';
import { parseTokenRequest } from './token-request.js';
import { TokenService, type TokenResponse } from './token.service.js';

const refusal = (status: number, description: string): MethodDecorator =>
  ApiResponse({ status, description, schema: reference('TokenError') });

@ApiTags('Authentication')
@Controller('oauth2')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  /** Exchanges client credentials for an access token (clause 4.1). */
  @Public()
  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Exchange client credentials for an access token', operationId: 'issueToken' })
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBasicAuth()
  @ApiBody({ required: false, schema: reference('TokenRequest') })
  @ApiResponse({ status: 200, description: 'Done', schema: reference('Token') })
  @refusal(400, 'Something in the request is invalid')
  @refusal(401, 'Unknown client or wrong secret')
  @refusal(413, 'The body is too large')
  @refusal(415, 'The body is not of the right media type')
  @ApiErrors()
  issue(
    @Body() body: unknown,
    @QueryParameters({}) _query: object,
    @Req() { headers }: Request,
  ): Promise<TokenResponse> {
    return this.tokens.issue(parseTokenRequest(body, headers.authorization));
  }
}
