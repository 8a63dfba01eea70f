import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database.js';
import { DatabaseProbe } from './connection/database.probe.js';

/** A connected data source and the function that closes it. */
export interface Connection {
  readonly dataSource: DataSource;
  /** Milliseconds in which the probe answers. Default: 1900. */
  readonly probeLimit?: number;
  close(): Promise<void>;
}

const CONNECTION = Symbol('Connection');

const PROBE_LIMIT = 1_900;

/** Provides the database to every module. Extensions may inject TypeORM's DataSource itself. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly probe: DatabaseProbe,
  ) {}

  /** @param dataSource connected; whoever connected it closes it */
  static forRoot(dataSource: DataSource): DynamicModule {
    const close = (): Promise<void> => Promise.resolve();
    return this.forRootAsync({ useFactory: () => Promise.resolve({ dataSource, close }) });
  }

  /** @param connect opens the connection, which is closed when the application closes */
  static forRootAsync(connect: Pick<FactoryProvider<Connection>, 'inject' | 'useFactory'>): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: CONNECTION, ...connect },
        { provide: DataSource, inject: [CONNECTION], useFactory: ({ dataSource }: Connection) => dataSource },
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => Database.of(dataSource).learn(),
        },
        {
          provide: DatabaseProbe,
          inject: [CONNECTION],
          useFactory: ({ dataSource, probeLimit = PROBE_LIMIT }: Connection) =>
            new DatabaseProbe(dataSource, probeLimit),
        },
      ],
      exports: [DataSource, Database, DatabaseProbe],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.probe.close();
    await this.connection.close();
  }
}
