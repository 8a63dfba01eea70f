import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import express, { type Request, type Response } from 'express';
import { LoopbackServer } from '../../../test/units/loopback-server.js';
import { countOwedAnswers } from './owed-answers.js';
import { boundUnread, sendBesideBody } from './unread.js';

const LARGE = 256 * 1024;
const MOST = 2.5 * LARGE;

/** Milliseconds between two looks. */
const LOOK = 50;

/**
 * The server's side of a connection whose client reads when a test says so, and whose system keeps nothing of
 * what is not read. What a real system keeps, and when it takes more, differs from one to the next.
 */
class SlowWire extends Duplex {
  private done: (() => void) | undefined;

  /** Reads what was written, and what comes next meanwhile. */
  async readAll(): Promise<void> {
    while (this.done !== undefined) {
      const { done } = this;
      this.done = undefined;
      done();
      await new Promise(setImmediate);
    }
  }

  override _read(): void {
    // A test pushes what the client sends.
  }

  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.done = done;
  }
}

let server: Server;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  server = createServer();
  countOwedAnswers(server);
  const middleware = boundUnread({ answers: MOST, body: 0 });
  server.on('request', (request, response) => {
    const body = Buffer.alloc(Number(request.url!.slice(1)));
    void middleware(request as Request, response as Response, () => response.end(body));
  });
});
afterEach(() => {
  server.close();
  jest.useRealTimers();
});

/** Asks for an answer of so many bytes. It is not read yet. */
async function ask(bytes = LARGE, { times = 1 } = {}): Promise<SlowWire> {
  const wire = new SlowWire();
  server.emit('connection', wire);
  const asked = once(server, 'request');
  wire.push(`GET /${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
  await asked;
  await new Promise(setImmediate);
  return wire;
}

const look = (): void => jest.advanceTimersByTime(LOOK);

describe('answers that clients do not read', () => {
  it('are kept within a bound', async () => {
    const wires = [await ask(), await ask()];
    jest.advanceTimersByTime(1_000 * LOOK);
    expect(wires.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  it('are cut beyond it, the oldest first, until they are within it', async () => {
    const wires = [await ask(), await ask(), await ask(), await ask()];
    look();
    expect(wires.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
    jest.advanceTimersByTime(1_000 * LOOK);
    expect(wires.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  });

  it('are counted, too, while they wait behind another one', async () => {
    const wire = await ask(LARGE, { times: 3 });
    look();
    expect(wire.destroyed).toBe(true);
  });

  it('leave a client alone that has read, though it came first', async () => {
    const quick = await ask();
    await quick.readAll();
    const slow = [await ask(), await ask(), await ask()];
    look();
    expect([quick, ...slow].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
  });

  it('are as old as the last that was read before them', async () => {
    const wire = await ask();
    const slow = await ask();
    await wire.readAll();
    wire.push(`GET /${LARGE} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise(setImmediate);
    await ask();
    look();
    expect([wire.destroyed, slow.destroyed]).toEqual([false, true]);
  });
});

describe('an answer to a request whose body is not read to its end', () => {
  let loopback: LoopbackServer;
  afterEach(() => loopback.stop());

  const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  /** Sends a part of a body, and gets the answer, which is complete. @returns the connection, and its end */
  async function refused(): Promise<{ client: Socket; closed: Promise<unknown> }> {
    const application = express();
    application.post('/', (_request, response) => sendBesideBody(response, { error: true }, 10));
    loopback = await LoopbackServer.start(createServer(application));
    const client = loopback.connect();
    client.write(`${HEAD}5\r\nxxxxx\r\n`);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n\r\n{"error":true}$/);
    return { client, closed: once(client, 'close') };
  }

  it('ends with the body [contract 1]', async () => {
    const { client, closed } = await refused();
    client.write('0\r\n\r\n');
    await closed;
  });

  it('ends with the connection where more is sent than the limit [contract 1]', async () => {
    const { client, closed } = await refused();
    client.write('B\r\nxxxxxxxxxxx\r\n');
    await closed;
  });

  it('is cut after 5 s where nothing is sent [contract 1]', async () => {
    const { client, closed } = await refused();
    jest.advanceTimersByTime(4_999);
    await new Promise(setImmediate);
    expect(client.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    await closed;
  });
});
