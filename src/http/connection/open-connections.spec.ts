import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LoopbackServer } from '../testing/loopback-server.js';
import { OpenConnections } from './open-connections.js';

let server: Server;
let connections: OpenConnections;
/** Answers that the server owes. */
let owed: ServerResponse[];
let loopback: LoopbackServer;

beforeEach(async () => {
  owed = [];
  server = createServer((_, response) => void owed.push(response));
  connections = new OpenConnections(server);
  loopback = await LoopbackServer.start(server);
});
afterEach(() => loopback.stop());

/** A connection that the server has accepted. */
async function open(): Promise<Socket> {
  const accepted = once(server, 'connection');
  const client = loopback.connect();
  await accepted;
  return client;
}

/** A connection with a request that is waiting for its answer. */
async function ask(): Promise<Socket> {
  const client = await open();
  const asked = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await asked;
  return client;
}

const closed = (client: Socket): Promise<unknown> => once(client.resume(), 'close');

describe('the open connections of a server that finishes', () => {
  it('end where nothing is asked, or not all of it', async () => {
    const idle = await open();
    const half = await open();
    half.write('GET / HTTP/1.1\r\nHo');
    const ends = [closed(idle), closed(half)];
    connections.finish();
    await Promise.all(ends);
  });

  it('stay where a request is under way, until it is answered', async () => {
    const client = await ask();
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const end = closed(client);
    connections.finish();
    expect(client.destroyed).toBe(false);
    owed[0]!.end('the answer');
    await end;
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*the answer/);
  });

  it('end where the answer has been given before', async () => {
    const client = await ask();
    const answered = once(owed[0]!, 'close');
    owed[0]!.end();
    await answered;
    const end = closed(client);
    connections.finish();
    await end;
  });

  it('end at once where they come late', async () => {
    connections.finish();
    await closed(await open());
  });

  it('all end when they are cut', async () => {
    const client = await ask();
    const end = closed(client);
    connections.finish();
    connections.cut();
    await end;
  });
});
