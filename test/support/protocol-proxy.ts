import { once } from 'node:events';
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';

/** A message of a client. Texts have zero bytes as spaces. */
export interface ClientMessage {
  readonly type: string;
  readonly text: string;
  /** The text of the last message of type Q before it, on the same connection. */
  readonly query: string;
  /** The statements that were run before it in its transaction, as messages of type B have them. */
  readonly before: string;
}

/**
 * What happens at the message that the proxy waits for:
 *
 * - `reset before`: the connection is reset, and the server does not get the message
 * - `reset after`: the server does all that it is told, and the connection is reset before an answer
 * - `swallow`: as `reset after`, but the connection stays open and silent
 * - `silence`: the server does not get the message, and the connection stays open and silent
 */
export type Fault = 'reset before' | 'reset after' | 'swallow' | 'silence';

/** Sends a statement of that name. */
export const executes =
  (name: string) =>
  ({ type, text }: ClientMessage): boolean =>
    type === 'B' && text.includes(` ${name} `);

/** Commits a transaction that has run a statement of that name: others of the service run meanwhile. */
export const commitsAfter =
  (name: string) =>
  (message: ClientMessage): boolean =>
    commits(message) && message.before.includes(` ${name} `);

export const commits = ({ type, text }: ClientMessage): boolean => type === 'Q' && text.startsWith('COMMIT');

/** Commits writes that share a transaction, which alone set the limit of time for locks where they begin. */
export const commitsShared = (message: ClientMessage): boolean =>
  commits(message) && message.query.includes('SET LOCAL lock_timeout');

/** A proxy in front of PostgreSQL that knows its protocol and fails at one message. */
export class ProtocolProxy {
  private readonly sockets = new Set<Socket>();
  private readonly held = new Set<() => void>();
  private delay = 0;
  private delaying:
    { readonly milliseconds: number; readonly from: (message: ClientMessage) => boolean } | undefined;
  private planned: { readonly fault: Fault; readonly at: (message: ClientMessage) => boolean } | undefined;

  private constructor(
    private readonly server: Server,
    /** The database's address through this proxy. */
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<ProtocolProxy> {
    const { hostname, port } = new URL(databaseUrl);
    const host = decodeURIComponent(hostname);
    const target: NetConnectOpts = host.startsWith('/')
      ? { path: `${host}/.s.PGSQL.${port}` }
      : { host, port: Number(port) };
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new ProtocolProxy(server, url.href);
    server.on('connection', (socket) => proxy.join(socket, target));
    return proxy;
  }

  /** Changes the fields of an error that the server answers: each its letter, its text and a zero byte. */
  rewriteError = (fields: string): string => fields;

  /** Plans a fault at the next message that fits, of any connection. It happens once. */
  failAt(at: (message: ClientMessage) => boolean, fault: Fault): void {
    this.planned = { at, fault };
  }

  /**
   * Holds what the server sends for some milliseconds, and that it has closed a connection, in order. With 0,
   * all that is held goes on.
   * @param from the message of a client with which it begins. Default: at once
   */
  delayAnswers(milliseconds: number, from?: (message: ClientMessage) => boolean): void {
    this.delaying = from === undefined ? undefined : { milliseconds, from };
    if (from === undefined) this.delay = milliseconds;
    if (milliseconds === 0) for (const release of [...this.held]) release();
  }

  /** Resets every connection that comes from now on. */
  refuse(): void {
    this.server.removeAllListeners('connection').on('connection', (socket) => socket.resetAndDestroy());
  }

  /** True when the planned fault has happened. */
  get hasFailed(): boolean {
    return this.planned === undefined;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket, target: NetConnectOpts): void {
    const server = connect(target);
    for (const end of [client, server]) {
      // Messages are passed on one by one: none waits until the one before has arrived.
      end.setNoDelay(true);
      this.sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => this.sockets.delete(end));
    }
    client.on('close', () => server.destroy());
    let fault: Fault | undefined;
    /** Answers that the client waits for, and those of them that still reach it after the fault. */
    let outstanding = 0;
    let delivered = 0;
    let query = '';
    let before = '';
    const fromClient = splitter(true);
    client.on('data', (chunk: Buffer) => {
      for (const { type, bytes } of fromClient(chunk)) {
        if (fault === 'reset before' || fault === 'silence') return;
        const { planned } = this;
        const text = bytes.subarray(5).toString('latin1').replaceAll('\0', ' ');
        const message = { type, text, query, before };
        if (type === 'Q') query = text;
        if (type === 'Q' && text.startsWith('BEGIN')) before = '';
        if (type === 'B') before += text;
        if (this.delaying?.from(message) === true) this.delayAnswers(this.delaying.milliseconds);
        if (planned?.at(message) === true) {
          this.planned = undefined;
          fault = planned.fault;
          delivered = outstanding;
          if (fault === 'reset before') client.resetAndDestroy();
          if (fault === 'reset before' || fault === 'silence') return;
        }
        if (type === 'Q' || type === 'S') outstanding += 1;
        server.write(bytes);
      }
    });
    const fromServer = splitter(false);
    const pass = this.inOrder();
    server.on('data', (chunk: Buffer) =>
      pass(() => {
        for (const { type, bytes } of fromServer(chunk)) {
          if (fault === undefined || delivered > 0) client.write(this.rewritten(type, bytes));
          if (type !== 'Z') continue;
          outstanding -= 1;
          if (delivered > 0) delivered -= 1;
          else if (fault === 'reset after' && outstanding === 0) client.resetAndDestroy();
        }
      }),
    );
    server.on('close', () => pass(() => client.destroy()));
  }

  private rewritten(type: string, bytes: Buffer): Buffer {
    if (type !== 'E') return bytes;
    const fields = Buffer.from(this.rewriteError(bytes.toString('utf8', 5)));
    const head = Buffer.from(bytes.subarray(0, 5));
    head.writeInt32BE(fields.length + 4, 1);
    return Buffer.concat([head, fields]);
  }

  /** Returns a function that runs what it gets in its order, each after the delay. */
  private inOrder(): (act: () => void) => void {
    let before = Promise.resolve();
    return (act) => {
      const due = this.delay === 0 ? Promise.resolve() : this.later();
      before = Promise.all([before, due]).then(act);
    };
  }

  private later(): Promise<void> {
    return new Promise((resolve) => {
      const release = (): void => {
        clearTimeout(timer);
        this.held.delete(release);
        resolve();
      };
      const timer = setTimeout(release, this.delay).unref();
      this.held.add(release);
    });
  }
}

/**
 * Returns a function that cuts what arrives into whole messages. The first message of a client has no type,
 * and the answer to the login is no answer to a statement.
 */
function splitter(startsUntyped: boolean): (chunk: Buffer) => { type: string; bytes: Buffer }[] {
  let rest = Buffer.alloc(0);
  let untyped = startsUntyped;
  let login = !startsUntyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: { type: string; bytes: Buffer }[] = [];
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return messages;
      let type = untyped ? '' : String.fromCharCode(rest[0] ?? 0);
      if (type === 'Z' && login) [type, login] = ['login', false];
      messages.push({ type, bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
      untyped = false;
    }
  };
}
