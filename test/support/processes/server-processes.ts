import type { ApiClient } from '../api-client.js';
import { ObedientClient } from '../obedient-client.js';
import { Programs, type Program } from './program.js';
import type { RoutingAccount } from '../routing-account.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { TEST_SECRET, TestService } from '../test-service.js';

/** A server process, and a client of it. */
export interface Seat {
  readonly process: Program;
  readonly api: ApiClient;
}

/** Server processes on one database. */
export class ServerProcesses {
  readonly programs = new Programs();

  private constructor(
    private readonly database: TestDatabase,
    /** Configures accounts and reads what is stored, in the test's own process. It gets none of the load. */
    readonly desk: TestService,
  ) {}

  static async create(): Promise<ServerProcesses> {
    const database = await createTestDatabase();
    return new ServerProcesses(database, await TestService.start({ database }));
  }

  /** The environment of programs on the database. */
  get env(): { readonly DATABASE_URL: string; readonly JWT_SECRET: string } {
    return { DATABASE_URL: this.database.url, JWT_SECRET: TEST_SECRET };
  }

  /** Starts a server. Its client has the token of an account. */
  async start(account: RoutingAccount): Promise<Seat> {
    const process = this.programs.server(this.env);
    return { process, api: new ObedientClient(await process.listening(), account.api.token) };
  }

  /** Ends the programs of one test. */
  end(): Promise<void> {
    return this.programs.end();
  }

  /** Stops the desk, and drops the database. */
  async close(): Promise<void> {
    await this.desk.stop();
    await this.database.drop();
  }
}
