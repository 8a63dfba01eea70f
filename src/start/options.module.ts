import {
  Global,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createLogger, logDestination, LOGGER } from '../logging/create-logger.js';
import { readSettings, SETTINGS, Settings } from '../settings/settings.js';

/** Options of the application. */
export interface FairleadOptions {
  /** Default: those of the process environment. */
  readonly settings?: Settings;
  /**
   * A connected data source. It is made by `createHostDataSource` with the entities and migrations of the
   * extensions, and its schema is current. Its owner closes it after the application. If it is left out, the
   * application opens the database that the settings name, migrates it if they allow that, and closes it.
   */
  readonly dataSource?: DataSource;
  /** Whether people may enter the console. Default: as the setting `CONSOLE` says. */
  readonly console?: boolean;
  /** Default: on standard output, in the `LOG_FORMAT` of the settings. */
  readonly logger?: Logger;
}

/** A factory for options that depend on other providers or are made asynchronously. */
export interface FairleadOptionsFactory {
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  readonly inject?: NonNullable<FactoryProvider['inject']>;
  // The types of the arguments are those of the injected tokens, which only the caller knows.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory: (...dependencies: any[]) => FairleadOptions | Promise<FairleadOptions>;
}

/** Injection token of FairleadOptions. */
export const OPTIONS = Symbol('FairleadOptions');

/** Provides the settings and the logger to every module. */
@Global()
@Module({})
export class OptionsModule {
  static forRoot({ imports = [], inject = [], useFactory }: FairleadOptionsFactory): DynamicModule {
    return {
      module: OptionsModule,
      imports,
      providers: [
        { provide: OPTIONS, inject, useFactory },
        {
          provide: SETTINGS,
          inject: [OPTIONS],
          useFactory: ({ settings = readSettings(), console }: FairleadOptions) =>
            console === undefined
              ? settings
              : Object.assign(new Settings(), settings, { CONSOLE: console ? 'on' : 'off' }),
        },
        {
          provide: LOGGER,
          inject: [OPTIONS, SETTINGS],
          useFactory: async ({ logger }: FairleadOptions, { LOG_LEVEL, LOG_FORMAT }: Settings) =>
            logger ?? createLogger(LOG_LEVEL, await logDestination(LOG_FORMAT)),
        },
      ],
      exports: [OPTIONS, SETTINGS, LOGGER],
    };
  }
}
