import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountsModule } from '../accounts/index.js';
import { ApiClientsModule } from '../auth/index.js';
import { ConfigurationModule } from '../configuration/index.js';
import { DispatchModule } from '../dispatch/index.js';
import { ExtensionsModule, type FairleadExtension } from '../extensions/index.js';
import { RecordsModule } from '../records/index.js';
import { DatabaseModule } from '../database/database.module.js';

/** The part of the application that the command line needs: no HTTP, no tokens. */
@Module({})
export class AdminModule {
  static forRoot(dataSource: DataSource, extensions: readonly FairleadExtension[]): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        DatabaseModule.forRoot(dataSource),
        AccountsModule,
        ApiClientsModule,
        ConfigurationModule,
        DispatchModule,
        ExtensionsModule.forRoot(extensions),
        RecordsModule,
      ],
    };
  }
}
