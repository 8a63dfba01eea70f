import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database.js';

/** Gives every module the database; extensions may inject the DataSource itself. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param dataSource connected, and closed by whoever connected it */
  static forRoot(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useValue: dataSource },
        { provide: Database, useValue: new Database(dataSource) },
      ],
      exports: [DataSource, Database],
    };
  }
}
