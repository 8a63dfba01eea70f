import { Module } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { SETTINGS } from '../settings/settings.js';
import { EndpointConventions } from '../http/index.js';
import { AccountsModule } from '../accounts/index.js';
import { ThrottlesModule } from '../throttles/index.js';
import { ShareGuard } from './share.guard.js';
import { AccountGuard } from './account.guard.js';
import { CallersModule } from './callers.module.js';
import { ClientStatusCache } from './client-status.cache.js';
import { JwtStrategy } from './jwt.strategy.js';
import { TOKEN_KEYS, tokenKeys, type TokenKeys } from './keys/token-keys.js';
import { WellKnownController } from './keys/well-known.controller.js';
import { Sessions } from './people/sessions.js';
import { TOKEN_ENDPOINT } from './token-request.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token.service.js';

@Module({
  imports: [AccountsModule, CallersModule, ThrottlesModule],
  controllers: [TokenController, WellKnownController],
  providers: [
    AccountGuard,
    ClientStatusCache,
    ShareGuard,
    Sessions,
    JwtStrategy,
    TokenService,
    { provide: TOKEN_KEYS, inject: [SETTINGS], useFactory: tokenKeys },
    {
      provide: JwtService,
      inject: [TOKEN_KEYS],
      useFactory: ({ signing }: TokenKeys) => {
        // The types know strings and buffers only; jsonwebtoken signs with a KeyObject.
        const secret = signing.key as unknown as Buffer;
        return new JwtService(signing.algorithm === 'HS256' ? { secret } : { privateKey: secret });
      },
    },
  ],
  exports: [AccountGuard, CallersModule, Sessions, ShareGuard],
})
export class AuthModule {
  constructor(conventions: EndpointConventions) {
    conventions.add(TOKEN_ENDPOINT);
  }
}
