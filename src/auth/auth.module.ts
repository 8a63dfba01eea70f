import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { EndpointConventions } from '../http/index.js';
import { AccountGuard } from './account.guard.js';
import { ApiClientsModule } from './api-clients.module.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { ClientStatusCache } from './client-status.cache.js';
import { JwtStrategy } from './jwt.strategy.js';
import { TOKEN_ENDPOINT } from './token-endpoint.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token.service.js';
import { VerifiedTokensCache } from './verified-tokens.cache.js';

@Module({})
export class AuthModule {
  constructor(conventions: EndpointConventions) {
    conventions.add(TOKEN_ENDPOINT);
  }

  static forRoot(options: AuthOptions): DynamicModule {
    return {
      module: AuthModule,
      // jsonwebtoken also signs with a KeyObject; the types of JwtModule do not say so.
      imports: [ApiClientsModule, JwtModule.register({ secret: options.secret })],
      controllers: [TokenController],
      providers: [
        ClientStatusCache,
        JwtStrategy,
        TokenService,
        VerifiedTokensCache,
        { provide: AUTH_OPTIONS, useValue: options },
        { provide: APP_GUARD, useClass: AccountGuard },
      ],
    };
  }
}
