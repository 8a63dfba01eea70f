import { Body, Controller, Header, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from './public.decorator.js';
import { parseTokenRequest } from './token-request.js';
import { TokenService, type TokenResponse } from './token.service.js';

@ApiTags('Authentication')
@Controller('oauth2')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  /** Exchanges client credentials for an access token (clause 4.1). */
  @Public()
  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  issue(@Body() body: unknown, @Headers('authorization') authorization?: string): Promise<TokenResponse> {
    return this.tokens.issue(parseTokenRequest(body, authorization));
  }
}
