import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { LoopbackServer } from '../../../test/units/loopback-server.js';
import { boundedPipeline, countOwedAnswers, endBehind } from './owed-answers.js';

const MOST = 3;
let server: Server;
let loopback: LoopbackServer;
let client: Socket;
let owed: ServerResponse[];
let received: string;

beforeEach(async () => {
  owed = [];
  received = '';
  server = createServer();
  countOwedAnswers(server);
  const middleware = boundedPipeline(MOST);
  server.on('request', (request, response) => {
    void middleware(request as Request, response as Response, () => owed.push(response));
  });
  loopback = await LoopbackServer.start(server);
  client = loopback.connect();
  client.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await once(client, 'connect');
});
afterEach(() => loopback.stop());

const requests = (count: number): string => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count);
const answers = (): number => received.split('HTTP/1.1 200').length - 1;

/** Sends so many requests at once and waits until the last of them is asked. */
async function ask(count: number): Promise<void> {
  const before = owed.length;
  client.write(requests(count));
  while (owed.length < before + count) await once(server, 'request');
}

/** Answers everything that is asked and waits for the answers. */
async function answer(): Promise<void> {
  const all = answers() + owed.length;
  for (const response of owed.splice(0)) response.end();
  while (answers() < all) await once(client, 'data');
}

describe('the requests of one connection that wait for answers', () => {
  it('are served up to a number, again and again', async () => {
    for (let round = 0; round < 3; round++) {
      await ask(MOST);
      await answer();
    }
    expect(client.destroyed).toBe(false);
  });

  it('are not served behind an answer that ends their connection', async () => {
    await ask(2);
    endBehind(owed[1]!);
    owed[1]!.end();
    const came = once(server, 'request');
    client.write(requests(1));
    await came;
    expect(owed).toHaveLength(2);
    const closed = once(client, 'close');
    owed[0]!.end();
    await closed;
    expect(received.split('HTTP/1.1 200')).toHaveLength(3);
  });

  it('are not served beyond it, and the connection is cut', async () => {
    const closed = once(client, 'close');
    client.write(requests(MOST + 50));
    await closed;
    expect(owed).toHaveLength(MOST);
    expect(received).toBe('');
  });
});
