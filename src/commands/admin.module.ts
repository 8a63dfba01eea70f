import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountsModule } from '../accounts/index.js';
import { AssignmentLogModule } from '../assignments/index.js';
import { CallersModule } from '../auth/index.js';
import { ConfigurationModule } from '../configuration/index.js';
import { DispatchModule } from '../dispatch/index.js';
import { ExtensionsModule, type FairleadExtension } from '../extensions/index.js';
import { ManagementModule } from '../management/index.js';
import { RecordsModule } from '../records/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { TransferModule } from '../transfer/index.js';
import { DatabaseModule } from '../database/database.module.js';

/**
 * The rooms whose services commands use; modules of extensions may inject them, as they may in the server.
 */
const FEATURES = [
  AccountsModule,
  CallersModule,
  AssignmentLogModule,
  ConfigurationModule,
  DispatchModule,
  ManagementModule,
  RecordsModule,
  TransferModule,
];

/** The part of the application that the command line needs: no HTTP, no tokens. */
@Module({})
export class AdminModule {
  static forRoot(
    dataSource: DataSource,
    {
      settings,
      extensions,
    }: { readonly settings: Settings; readonly extensions: readonly FairleadExtension[] },
  ): DynamicModule {
    const connection = { dataSource, probeLimit: settings.READINESS_TIMEOUT_MS };
    return {
      module: AdminModule,
      global: true,
      imports: [
        DatabaseModule.forRoot({ useFactory: () => connection }),
        ExtensionsModule.forRoot(extensions),
        ...FEATURES,
      ],
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [...FEATURES, SETTINGS],
    };
  }
}
