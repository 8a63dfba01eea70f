import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountsModule } from './accounts/index.js';
import { AssignmentsModule, type AssignmentsOptions } from './assignments/index.js';
import { AuthModule, type AuthOptions } from './auth/index.js';
import { ConfigurationModule } from './configuration/index.js';
import { DatabaseModule } from './database/database.module.js';
import { DispatchModule } from './dispatch/index.js';
import { HealthModule } from './health/health.module.js';
import { RecordsModule } from './records/index.js';
import { RoutersModule } from './routers/index.js';

/** What the application is put together from. */
export interface FairleadOptions {
  /** Connected; its schema current. */
  readonly dataSource: DataSource;
  readonly auth: AuthOptions;
  readonly assignments: AssignmentsOptions;
}

/** The composition root. */
@Module({})
export class FairleadModule {
  static forRoot({ dataSource, auth, assignments }: FairleadOptions): DynamicModule {
    return {
      module: FairleadModule,
      imports: [
        DatabaseModule.forRoot(dataSource),
        AuthModule.forRoot(auth),
        AccountsModule,
        AssignmentsModule.forRoot(assignments),
        ConfigurationModule,
        DispatchModule,
        HealthModule,
        RecordsModule,
        RoutersModule,
      ],
    };
  }
}
