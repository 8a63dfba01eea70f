import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/http.js';
import { DirectoryModule } from '../directory/index.js';
import { EndpointConventions } from '../http/index.js';
import { ManagementModule } from '../management/index.js';
import { ThrottlesModule } from '../throttles/index.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';
import { ConsoleGuard } from './console.guard.js';
import { ConsoleSweep } from './console-sweep.js';
import { MeController } from './me.controller.js';
import { MeService } from './me.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcService } from './oidc/oidc.service.js';
import { Provider } from './oidc/provider.js';
import { SESSION_ENDPOINT, SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';

/** Who callers are, how people enter, and the pages, which come last: they take every path. */
@Module({
  imports: [AccountsModule, AuthModule, DirectoryModule, ManagementModule, ThrottlesModule],
  controllers: [MeController, SessionController, OidcController, ConsoleController],
  providers: [ConsoleFiles, ConsoleGuard, ConsoleSweep, MeService, OidcService, Provider, SessionService],
  exports: [ConsoleFiles],
})
export class ConsoleModule {
  constructor(conventions: EndpointConventions) {
    conventions.add(SESSION_ENDPOINT);
  }
}
