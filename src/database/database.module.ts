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
import { Background } from './background.js';
import { DatabaseProbe } from './connection/database.probe.js';
import { poolOf } from './driver/driver.js';

/** A connected data source and the function that closes it. */
export interface Connection {
  readonly dataSource: DataSource;
  /** Milliseconds in which the probe answers. Default: 1900. */
  readonly probeLimit?: number;
  close(): Promise<void>;
}

const CONNECTION = Symbol('Connection');

/** Milliseconds between two questions of each node of a cluster. */
const NODES_MS = 1_000;

const PROBE_LIMIT = 1_900;

/** Provides the database to every module. Extensions may inject TypeORM's DataSource itself. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly probe: DatabaseProbe,
    private readonly database: Database,
    background: Background,
  ) {
    if (!database.hasHosts) return;
    const run = (): Promise<void> => database.learnNodes();
    background.repeat({ name: 'nodes', every: NODES_MS, failure: 'What nodes have is not known', run });
  }

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
        Background,
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
            new DatabaseProbe(poolOf(dataSource), probeLimit),
        },
      ],
      exports: [Background, DataSource, Database, DatabaseProbe],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
    await this.probe.close();
    await this.connection.close();
  }
}
