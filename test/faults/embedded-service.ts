import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { demoClient } from '../support/processes/first-start.js';
import { postgresOf, type Program, type Programs } from '../support/processes/program.js';
import { waitFor } from '../support/wait-for.js';

/** A server process on the embedded database of a data directory, and a client of its demo account. */
export class EmbeddedService {
  private constructor(
    readonly program: Program,
    readonly api: ApiClient,
    private readonly dataDir: string,
  ) {}

  /** Starts the first server on the data directory `cwd/data`, or on `dataDir`. */
  static async first(programs: Programs, cwd: string, dataDir = join(cwd, 'data')): Promise<EmbeddedService> {
    const program = programs.server({ DATA_DIR: dataDir }, cwd);
    const url = await program.listening();
    return new EmbeddedService(program, await demoClient(program, url), dataDir);
  }

  /** Starts another server on the same data directory. */
  async another(programs: Programs): Promise<EmbeddedService> {
    const program = programs.server({ DATA_DIR: this.dataDir });
    const api = new ApiClient(await program.listening(), this.api.token);
    return new EmbeddedService(program, api, this.dataDir);
  }

  /** Process id of the database. Waits until there is one other than `not`. */
  postmaster(not?: number): Promise<number> {
    return waitFor('the database to run', () => {
      const pid = postgresOf(this.dataDir);
      return pid === not ? undefined : pid;
    });
  }

  /** Whether it says that it can serve. */
  async isReady(): Promise<boolean> {
    return (await this.api.get('/health/ready')).status === 200;
  }

  /** Waits until it writes, reads, and says that it is ready again, all in the same process. */
  async expectServing(): Promise<void> {
    const id = await waitFor('a write to succeed', async () => {
      if (this.program.ended) throw new Error(`The server ended:\n${this.program.stderr}`);
      const { status, body } = await this.api.post('/contacts', { fields: { first_name: 'Back' } });
      // Whatever is not a success is an outage that a client may wait for.
      expect([201, 503]).toContain(status);
      return status === 201 ? String(body.id) : undefined;
    });
    await waitFor('a read to succeed', async () => {
      const { status, body } = await this.api.get(`/contacts/${id}`);
      expect([200, 503]).toContain(status);
      return status === 200 && body.first_name === 'Back';
    });
    await waitFor('readiness', () => this.isReady());
  }

  /** The messages that it has logged about its database, apart from those of its start. */
  get outage(): string[] {
    const messages = this.program.logs.map(({ msg }) => String(msg));
    return messages.slice(messages.indexOf('listening') + 1).filter((text) => text.includes('PostgreSQL'));
  }
}
