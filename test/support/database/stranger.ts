import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';

/** Messages of PostgreSQL's protocol that a server answers the start of a connection with. */
export const GREETINGS = {
  'asks for the password in clear text': '52 00000008 00000003',
  'asks for an MD5 hash': '52 0000000c 00000005 01020304',
  'asks for no password': '52 00000008 00000000 5a 00000005 49',
  'claims that SCRAM has succeeded': `52 0000000c 0000000c ${Buffer.from('v=AA').toString('hex')} 52 00000008 00000000 5a 00000005 49`,
  'begins SCRAM and ends it at once': `52 00000017 0000000a ${Buffer.from('SCRAM-SHA-256\0\0').toString('hex')}
    52 0000000c 0000000c ${Buffer.from('v=AA').toString('hex')} 52 00000008 00000000 5a 00000005 49`,
} as const;

/** A listener in the place of a database. It asks for passwords, and keeps what it is told. */
export class Stranger {
  /** What clients sent after the start of each connection. */
  readonly told: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly greetings: readonly string[],
  ) {
    server.on('connection', (socket) => this.meet(socket));
  }

  /** Listens there and gives the greetings by turns. */
  static async listen(where: ListenOptions, greetings: readonly string[]): Promise<Stranger> {
    const stranger = new Stranger(createServer(), greetings);
    // A killed server leaves its socket behind.
    if (where.path !== undefined) rmSync(where.path, { force: true });
    stranger.server.listen(where);
    await once(stranger.server, 'listening');
    return stranger;
  }

  get address(): ReturnType<Server['address']> {
    return this.server.address();
  }

  /** Whether no connection is open: all that was sent over those before has been read. */
  get isAlone(): boolean {
    return this.sockets.size === 0;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private meet(socket: Socket): void {
    const number = this.told.push('') - 1;
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    // The first packet is the name of the role and of the database.
    socket.once('data', () => {
      socket.on('data', (chunk) => {
        this.told[number] = `${this.told[number] ?? ''}${chunk.toString('latin1')}`;
      });
      const greeting = this.greetings[number % this.greetings.length]!;
      socket.write(Buffer.from(greeting.replace(/\s/g, ''), 'hex'));
    });
  }
}
