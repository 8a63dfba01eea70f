import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../support/wait-for.js';

/**
 * A program that opens the data directory, reports, and executes commands. `mode` says what happens on a
 * signal or at the end.
 */
export const HOLDER = `
const { EmbeddedPostgres } = require('./embedded/embedded-postgres.js');
const { Client } = require('pg');
const { options, mode } = JSON.parse(process.argv[2]);
const say = (message) => new Promise((resolve) => process.send ? process.send(message, resolve) : resolve());
const log = (line) => void (process.connected && process.send({ type: 'log', line }));
(async () => {
  const database = await EmbeddedPostgres.open({ ...options, log });
  await say({ type: 'open', url: database.url, fresh: database.fresh });
  if (mode === 'forget') return process.disconnect();
  process.on('SIGINT', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT 1 AS one');
    await client.end();
    await database.close();
    await say({ type: 'drained', rows });
    process.exit(0);
  });
  process.on('message', async (message) => {
    if (message !== 'close') return;
    try {
      await Promise.all([database.close(), database.close()]);
      await say({ type: 'closed' });
      process.disconnect();
    } catch (error) {
      await say({ type: 'error', name: error.name, message: error.message });
      process.exit(1);
    }
  });
})().catch(async (error) => {
  await say({ type: 'error', name: error.name, message: error.message });
  process.exit(1);
});
`;

interface Message {
  readonly type: 'open' | 'closed' | 'drained' | 'error' | 'log';
  readonly url: string;
  readonly fresh: boolean;
  readonly message: string;
  readonly name: string;
  readonly line: string;
  readonly rows: unknown[];
}

/** A separate process that has opened, or tried to open, a data directory. */
export class Holder {
  readonly messages: Message[] = [];

  constructor(readonly child: ChildProcess) {
    child.on('message', (message) => this.messages.push(message as Message));
  }

  get pid(): number {
    return this.child.pid!;
  }

  async message(type: Message['type']): Promise<Message> {
    return waitFor(`message "${type}"`, () => {
      const failed = this.messages.find((message) => message.type === 'error');
      if (failed && type !== 'error') throw new Error(failed.message);
      const found = this.messages.find((message) => message.type === type);
      // Node.js may tell of the end of a process before it has read the last messages.
      const isRead = this.ended() && !this.child.connected;
      if (!found && isRead) throw new Error(`ended without the message "${type}"`);
      return found;
    });
  }

  /** Whether it has logged a line with `text` in it. */
  logged(text: string): boolean {
    return this.messages.some((message) => message.type === 'log' && message.line.includes(text));
  }

  ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async exit(): Promise<void> {
    if (!this.ended()) await once(this.child, 'exit');
  }

  async close(): Promise<void> {
    this.child.send('close');
    await this.message('closed');
    await this.exit();
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit();
  }
}
