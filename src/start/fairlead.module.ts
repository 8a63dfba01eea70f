import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccountsModule } from '../accounts/index.js';
import { AssignmentsModule, assignmentSchemas } from '../assignments/http.js';
import { AccountGuard, AuthModule, authSchemas, authSecurity, ShareGuard } from '../auth/http.js';
import { ConfigurationModule } from '../configuration/index.js';
import { ConsoleModule, consoleSchemas } from '../console/http.js';
import { DatabaseModule, type Connection } from '../database/database.module.js';
import { DispatchHttpModule, dispatchSchemas } from '../dispatch/http.js';
import { ExtensionsModule, type FairleadExtension } from '../extensions/index.js';
import { FieldsModule } from '../fields/index.js';
import { HealthModule } from '../health/health.module.js';
import {
  BodyGuard,
  HttpModule,
  ParseGuard,
  ProvidesOpenApiSchemas,
  SECURITY_SCHEMES,
} from '../http/index.js';
import { LOGGER } from '../logging/create-logger.js';
import {
  OPTIONS,
  OptionsModule,
  type FairleadOptions,
  type FairleadOptionsFactory,
} from './options.module.js';
import { ManagementHttpModule, managementSchemas, routerSchemas } from '../management/http.js';
import {
  batchSchemas,
  historySchemas,
  RecordsHttpModule,
  recordSchemas,
  searchSchemas,
} from '../records/http.js';
import { RoutersModule } from '../routers/index.js';
import { openServiceDatabase } from './service-database.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** The extensions of the service. */
interface Extensible {
  readonly extensions?: readonly FairleadExtension[];
}

/** Options of the application. */
export type FairleadModuleOptions = FairleadOptions & Extensible;

/**
 * The rooms whose services every module of the application may inject. Express tries the routes in this
 * order, some 130 of them, so those that are asked for most come first.
 */
const FEATURES = [
  RecordsHttpModule,
  DispatchHttpModule,
  AssignmentsModule,
  AuthModule,
  AccountsModule,
  ConfigurationModule,
  ManagementHttpModule,
  RoutersModule,
  ConsoleModule,
];

/** The guards of every route, in the order in which a request meets them. */
const GUARDS = [AccountGuard, BodyGuard, ShareGuard, ParseGuard].map((guard) => ({
  provide: APP_GUARD,
  useExisting: guard,
}));

/**
 * The service as a Nest module. It contains the routes, the guard of every route of the application (a route
 * without `@RequireScope` or `@Public` is closed), the filter that answers errors, the database and its
 * migrations, and the extensions. The application adds the middleware: see `configureHttp`.
 */
@ProvidesOpenApiSchemas(
  assignmentSchemas,
  authSchemas,
  recordSchemas,
  searchSchemas,
  batchSchemas,
  historySchemas,
  routerSchemas,
  dispatchSchemas,
  managementSchemas,
  consoleSchemas,
)
@Module({})
export class FairleadModule {
  /** @param options default: settings from the environment, and a database that is opened with them */
  static forRoot({ extensions = [], ...options }: FairleadModuleOptions = {}): DynamicModule {
    return compose({ useFactory: () => options }, extensions);
  }

  /**
   * As `forRoot`, with options that depend on other providers. Extensions are given directly, because they
   * add modules.
   */
  static forRootAsync({ extensions = [], ...factory }: FairleadOptionsFactory & Extensible): DynamicModule {
    return compose(factory, extensions);
  }
}

function compose(factory: FairleadOptionsFactory, extensions: readonly FairleadExtension[]): DynamicModule {
  return {
    module: FairleadModule,
    global: true,
    imports: [
      OptionsModule.forRoot(factory),
      DatabaseModule.forRoot({
        inject: [OPTIONS, SETTINGS, LOGGER],
        useFactory: (options: FairleadOptions, settings: Settings, logger: Logger) =>
          connect(options, settings, { logger, extensions }),
      }),
      HttpModule,
      HealthModule,
      ExtensionsModule.forRoot(extensions),
      FieldsModule,
      ...FEATURES,
    ],
    providers: [...GUARDS, { provide: SECURITY_SCHEMES, useValue: authSecurity }],
    exports: FEATURES,
  };
}

async function connect(
  { dataSource }: FairleadOptions,
  settings: Settings,
  { logger, extensions }: { readonly logger: Logger; readonly extensions: readonly FairleadExtension[] },
): Promise<Connection> {
  const probeLimit = settings.READINESS_TIMEOUT_MS;
  if (dataSource !== undefined) return { dataSource, probeLimit };
  const log = (message: string): void => logger.info(message);
  const startWait = settings.DATABASE_START_WAIT_SECONDS * 1000;
  const onLost = ({ message }: Error): void => logger.fatal(message);
  return { ...(await openServiceDatabase(settings, { extensions, log, onLost, startWait })), probeLimit };
}
