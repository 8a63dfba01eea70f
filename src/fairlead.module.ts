import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { AccountsModule } from './accounts/index.js';
import { assignmentSchemas, AssignmentsModule, type AssignmentsOptions } from './assignments/index.js';
import { AuthModule, authSchemas, type AuthOptions } from './auth/index.js';
import { ConfigurationModule } from './configuration/index.js';
import { DatabaseModule } from './database/database.module.js';
import { DispatchModule, dispatchSchemas } from './dispatch/index.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule, ProvidesOpenApiSchemas } from './http/index.js';
import { RecordsModule, recordSchemas } from './records/index.js';
import { routerSchemas, RoutersModule } from './routers/index.js';

/** What the application is put together from. */
export interface FairleadOptions {
  /** Connected; its schema current. */
  readonly dataSource: DataSource;
  readonly auth: AuthOptions;
  readonly assignments: AssignmentsOptions;
  readonly logger: Logger;
}

/** The composition root. */
@ProvidesOpenApiSchemas(assignmentSchemas, authSchemas, recordSchemas, routerSchemas, dispatchSchemas)
@Module({})
export class FairleadModule {
  static forRoot({ dataSource, auth, assignments, logger }: FairleadOptions): DynamicModule {
    return {
      module: FairleadModule,
      imports: [
        DatabaseModule.forRoot(dataSource),
        HttpModule.forRoot({ logger }),
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
