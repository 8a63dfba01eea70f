import { once } from 'node:events';
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';

/** A TCP proxy in front of a database on a socket or a port. It can interrupt the connections. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private silent = false;

  private constructor(
    private readonly server: Server,
    /** The database's address through this proxy. */
    readonly url: string,
    private readonly port: number,
  ) {}

  static async start(databaseUrl: string): Promise<TcpProxy> {
    const { hostname, port: number } = new URL(databaseUrl);
    const host = decodeURIComponent(hostname);
    const target: NetConnectOpts = host.startsWith('/')
      ? { path: `${host}/.s.PGSQL.${number}` }
      : { host, port: Number(number) };
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(port);
    const proxy = new TcpProxy(server, url.href, port);
    server.on('connection', (socket) => proxy.join(socket, target));
    return proxy;
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Accepts connections again, under the same address. */
  async restore(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /**
   * Discards what is sent over the open connections, in both directions, and keeps them open.
   * @param newcomers also discards what is sent over later connections, until the next call
   */
  silence({ newcomers = false } = {}): void {
    this.silent = newcomers;
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  private join(socket: Socket, target: NetConnectOpts): void {
    const upstream = connect(target);
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        this.sockets.delete(end);
        other.destroy();
      });
      if (this.silent) end.resume();
      else end.pipe(other);
    }
  }
}
