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

/** A connected data source. */
export interface Connection {
  readonly dataSource: DataSource;
  /** Milliseconds in which the probe answers. */
  readonly probeLimit: number;
  /** Closes it with the application; unless given, whoever connected it does. */
  close?(): Promise<void>;
}

const CONNECTION = Symbol('Connection');

/** Milliseconds between two questions of each node of a cluster. */
const NODES_MS = 1_000;

/** Provides the database to every module. Extensions may inject TypeORM's DataSource itself. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly probe: DatabaseProbe,
    private readonly database: Database,
    private readonly background: Background,
  ) {
    if (!database.hasHosts) return;
    const run = (): Promise<void> => database.learnNodes();
    const failure = 'What nodes have is not known';
    background.repeat({ name: 'nodes', every: NODES_MS, isLast: true, failure, run });
  }

  /** @param connect opens the connection */
  static forRoot(connect: Pick<FactoryProvider<Connection>, 'inject' | 'useFactory'>): DynamicModule {
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
          useFactory: ({ dataSource, probeLimit }: Connection) =>
            new DatabaseProbe(poolOf(dataSource), probeLimit),
        },
      ],
      exports: [Background, DataSource, Database, DatabaseProbe],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.background.stop();
    await this.database.close();
    await this.probe.close();
    await this.connection.close?.();
  }
}
