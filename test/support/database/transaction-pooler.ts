import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** The end of an answer after which the server waits for a statement, outside of a transaction. */
const READY = Buffer.from('Z\0\0\0\u0005I', 'latin1');

/**
 * Lends one session of PostgreSQL to all its clients, as a pooler in transaction mode does. It takes no
 * notice of transactions, so one client must wait for its answers before another sends anything.
 */
export class TransactionPooler {
  private readonly server = createServer();
  private readonly sockets = new Set<Socket>();
  private session: Socket | undefined;
  private asker: Socket | undefined;

  private constructor(private readonly target: NetConnectOpts) {
    this.server.on('connection', (client) => this.join(client));
  }

  /** The address of the database through the pooler. */
  static async start(databaseUrl: string): Promise<{ url: string; pooler: TransactionPooler }> {
    const url = new URL(databaseUrl);
    const [host, port] = [decodeURIComponent(url.hostname), Number(url.port)];
    const pooler = new TransactionPooler(
      host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    );
    pooler.server.listen(0, '127.0.0.1');
    await once(pooler.server, 'listening');
    url.hostname = '127.0.0.1';
    url.port = String((pooler.server.address() as AddressInfo).port);
    return { url: url.href, pooler };
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  /** A client logs in at a session of its own, and uses that of the first client afterwards. */
  private join(client: Socket): void {
    const login = connect(this.target);
    for (const socket of [client, login]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    let session: Socket | undefined;
    client.on('data', (chunk: Buffer) => {
      // Terminate would end the session of all.
      if (session !== undefined && chunk[0] === 'X'.charCodeAt(0)) return;
      this.asker = client;
      (session ?? login).write(chunk);
    });
    login.on('data', (chunk: Buffer) => {
      const asker = session === login ? this.asker : client;
      if (session === undefined && chunk.subarray(-READY.length).equals(READY)) {
        session = this.session ??= login;
        if (session !== login) login.destroy();
      }
      asker?.write(chunk);
    });
  }
}
