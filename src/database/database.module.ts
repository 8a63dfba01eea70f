import {
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database.js';
import { RepeatedWork } from './repeated-work.js';
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
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseModule.name);
  private readonly watching = new RepeatedWork(
    NODES_MS,
    () => this.database.learnNodes(),
    (reason) => this.logger.error(`What nodes have is not known: ${reason}`),
  );

  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly probe: DatabaseProbe,
    private readonly database: Database,
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
            new DatabaseProbe(poolOf(dataSource), probeLimit),
        },
      ],
      exports: [DataSource, Database, DatabaseProbe],
    };
  }

  onApplicationBootstrap(): void {
    if (this.database.hasHosts) this.watching.start('nodes');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watching.stop();
    await this.database.close();
    await this.probe.close();
    await this.connection.close();
  }
}
