import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from './client.js';

const DIST = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** What an API client gets a token for. */
export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** This package's server and command line, on an embedded database in a temporary directory. */
export class Service {
  private server: ChildProcess | undefined;
  private url = '';

  private constructor(private readonly folder: string) {}

  static async create(): Promise<Service> {
    return new Service(await mkdtemp(join(tmpdir(), 'fairlead-notes-')));
  }

  /** Runs a command. @returns what it prints */
  async command(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(DIST, 'cli.js'), ...args], {
      env: this.environment,
    });
    return stdout;
  }

  /** Starts the server with these accounts. */
  async start(accounts: readonly object[]): Promise<void> {
    const file = join(this.folder, 'accounts.json');
    await writeFile(file, JSON.stringify({ accounts }));
    this.server = spawn(process.execPath, [join(DIST, 'main.js')], {
      env: { ...this.environment, APPLY_FILE: file },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.url = await addressOf(this.server);
  }

  /** A new API client of an account. */
  async createClient(account: string): Promise<Credentials> {
    const printed = await this.command('client', 'create', '--account', account, '--name', 'Test', '--json');
    return JSON.parse(printed) as Credentials;
  }

  /** A REST client with a token. @param scope all that the API client may do unless given */
  async login({ client_id, client_secret }: Credentials, scope?: string): Promise<Client> {
    const form = { client_id, client_secret, ...(scope === undefined ? {} : { scope }) };
    const response = await fetch(`${this.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    return new Client(this.url, access_token);
  }

  async stop(): Promise<void> {
    if (this.server?.exitCode === null) {
      this.server.kill();
      await once(this.server, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private get environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    return { PATH, HOME, PORT: '0', DEMO: 'false', DATA_DIR: join(this.folder, 'data') };
  }
}

/** The address that the server logs once it listens. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null) {
    for await (const line of createInterface(stdout)) {
      const { msg, address } = JSON.parse(line) as { msg: string; address: string };
      if (msg === 'listening') return address;
    }
  }
  throw new Error('The server has ended');
}
