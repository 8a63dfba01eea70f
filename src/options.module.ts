import {
  Global,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createLogger } from './logging/create-logger.js';
import { LOGGER } from './logging/logger.token.js';
import { readSettings } from './settings/read-settings.js';
import type { Settings } from './settings/settings.js';
import { SETTINGS } from './settings/settings.token.js';

/** What the application is put together from. */
export interface FairleadOptions {
  /** Those of the process environment unless given. */
  readonly settings?: Settings;
  /**
   * Connected by its owner, who closes it after the application; made by `createDataSource` with the entities and
   * migrations of the extensions, and its schema current. Where it is left out, the application opens the database that
   * the settings name, migrates it where they allow that, and closes it.
   */
  readonly dataSource?: DataSource;
  /** JSON on standard output unless given. */
  readonly logger?: Logger;
}

/** How options are made that need other providers or time. */
export interface FairleadOptionsFactory {
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  readonly inject?: NonNullable<FactoryProvider['inject']>;
  // The types of a factory's arguments are those of the tokens it injects, which only the caller knows.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory: (...dependencies: any[]) => FairleadOptions | Promise<FairleadOptions>;
}

/** Injection token of FairleadOptions. */
export const OPTIONS = Symbol('FairleadOptions');

/** Gives every module the settings and the logger. */
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
          useFactory: ({ settings }: FairleadOptions) => settings ?? readSettings(),
        },
        {
          provide: LOGGER,
          inject: [OPTIONS, SETTINGS],
          useFactory: ({ logger }: FairleadOptions, { LOG_LEVEL }: Settings) =>
            logger ?? createLogger(LOG_LEVEL),
        },
      ],
      exports: [OPTIONS, SETTINGS, LOGGER],
    };
  }
}
