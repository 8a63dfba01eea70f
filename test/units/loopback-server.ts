import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket, type TcpNetConnectOpts } from 'node:net';

/** A server on the loopback address, and the connections that a test opens to it. */
export class LoopbackServer {
  private readonly clients: Socket[] = [];

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  /** @param server one that does not listen yet */
  static async start(server: Server): Promise<LoopbackServer> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LoopbackServer(server, (server.address() as AddressInfo).port);
  }

  /** Opens a connection. It may end with an error at any time. */
  connect(options: Pick<TcpNetConnectOpts, 'localAddress'> = {}): Socket {
    const client = connect({ port: this.port, host: '127.0.0.1', ...options });
    client.on('error', () => undefined);
    this.clients.push(client);
    return client;
  }

  /** Cuts every connection and closes the server. */
  async stop(): Promise<void> {
    for (const client of this.clients) client.destroy();
    this.server.closeAllConnections();
    // The callback is also called where the server is closed already.
    await new Promise((resolve) => this.server.close(resolve));
  }
}
