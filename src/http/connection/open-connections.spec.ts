import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LoopbackServer } from '../../../test/units/loopback-server.js';
import { OpenConnections } from './open-connections.js';
import { isEnding } from './owed-answers.js';

let server: Server;
let connections: OpenConnections;
/** Answers that the server owes. */
let owed: ServerResponse[];
let loopback: LoopbackServer;
/** The last connection, at the server. */
let accepted: Socket;

beforeEach(async () => {
  // Connections are real, and the time is what a test says.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  owed = [];
  server = createServer((_, response) => void owed.push(response));
  connections = new OpenConnections(server);
  loopback = await LoopbackServer.start(server);
});
afterEach(async () => {
  await loopback.stop();
  jest.useRealTimers();
});

/** Milliseconds in which a client that connects may send its request. */
const FIRST_REQUEST = 500;

/** Milliseconds after which the connections that are left are cut. */
const GRACE = 60_000;

/** A connection that the server has accepted. */
async function open(): Promise<Socket> {
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const client = loopback.connect();
  [accepted] = await connected;
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
    void connections.finish(GRACE);
    jest.advanceTimersByTime(FIRST_REQUEST);
    await Promise.all(ends);
  });

  it('stay for the request of a client that has just come, whose answer ends them', async () => {
    const client = await open();
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const end = closed(client);
    void connections.finish(GRACE);
    jest.advanceTimersByTime(FIRST_REQUEST - 1);
    const asked = once(server, 'request');
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked;
    jest.advanceTimersByTime(1);
    owed[0]!.end('the answer');
    await end;
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*the answer/);
  });

  it('stay where a request is under way, until it is answered', async () => {
    const client = await ask();
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const end = closed(client);
    void connections.finish(GRACE);
    jest.advanceTimersByTime(10 * FIRST_REQUEST);
    expect(client.destroyed).toBe(false);
    owed[0]!.end('the answer');
    await end;
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*the answer/);
  });

  it('stay until a client that reads slowly has its answer', async () => {
    const size = 16 * 1024 * 1024;
    const client = await ask();
    client.pause();
    const written = once(owed[0]!, 'finish');
    owed[0]!.end(Buffer.alloc(size));
    const finished = connections.finish(GRACE);
    let bytes = 0;
    client.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await closed(client);
    expect(bytes).toBeGreaterThan(size);
    await written;
    await finished;
  });

  it('end where the answer has been given before', async () => {
    const client = await ask();
    const answered = once(owed[0]!, 'close');
    owed[0]!.end();
    await answered;
    const end = closed(client);
    void connections.finish(GRACE);
    jest.advanceTimersByTime(FIRST_REQUEST);
    await end;
  });

  it('are refused where they come late', async () => {
    void connections.finish(GRACE);
    const client = loopback.connect();
    const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('all end when their time is over', async () => {
    const client = await ask();
    const end = closed(client);
    const finished = connections.finish(GRACE);
    jest.advanceTimersByTime(GRACE);
    await end;
    await finished;
  });
});

describe('a server that drains', () => {
  it('serves on, and asks clients to come back over another connection [contract 5]', async () => {
    const [before, idle] = [await ask(), await open()];
    const drained = connections.drain(1_500);
    const later = await ask();
    const asked = once(server, 'request');
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked;
    for (const client of [before, later, idle]) {
      let text = '';
      client.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const end = once(client, 'close');
      owed.shift()!.end('the answer');
      await end;
      expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*the answer/);
    }
    await jest.advanceTimersByTimeAsync(1_500);
    await drained;
  });

  describe('while several requests of a connection wait', () => {
    let client: Socket;
    let text: string;

    /** Sends requests at once, and waits until the server has them. */
    async function pipeline(count: number): Promise<void> {
      const before = owed.length;
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
      while (owed.length < before + count) await once(server, 'request');
    }
    const received = (): string[] => text.match(/Connection: [\w-]+|answer \d/g) ?? [];

    beforeEach(async () => {
      client = await open();
      text = '';
      client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    });

    it.each([
      ['before', [0, 1, 2]],
      ['before', [2, 1, 0]],
      ['while it drains', [0, 1, 2]],
      ['while it drains', [2, 0, 1]],
    ])('gives all their answers, where they came %s, whichever is ready first: %j', async (when, order) => {
      if (when === 'before') await pipeline(3);
      const drained = connections.drain(10);
      if (when !== 'before') await pipeline(3);
      const end = once(client, 'close');
      for (const index of order) owed[index]!.end(`answer ${index}`);
      await end;
      expect(received()).toEqual([
        ...['Connection: keep-alive', 'answer 0'],
        ...['Connection: keep-alive', 'answer 1'],
        ...['Connection: close', 'answer 2'],
      ]);
      await jest.advanceTimersByTimeAsync(10);
      await drained;
    });

    it('says that a request behind the last answer is not served', async () => {
      await pipeline(2);
      const drained = connections.drain(10);
      const { socket } = owed[1]!.req;
      owed[1]!.end('answer 1');
      expect(isEnding(socket)).toBe(true);
      await pipeline(1);
      const end = once(client, 'close');
      owed[0]!.end('answer 0');
      await end;
      expect(received()).toEqual(['Connection: keep-alive', 'answer 0', 'Connection: close', 'answer 1']);
      await jest.advanceTimersByTimeAsync(10);
      await drained;
    });
  });

  /** Drains for so long. @returns whether that is over */
  function drain(milliseconds: number): () => boolean {
    let isOver = false;
    void connections.drain(milliseconds).then(() => (isOver = true));
    return () => isOver;
  }

  /** Lets the time pass, and what is then done come to its end. */
  async function pass(milliseconds: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(milliseconds);
    // A drain waits for a quiet turn of the event loop.
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  }

  it('does so for the whole time while clients come and go, however short they stay', async () => {
    (await open()).destroy();
    const isOver = drain(2_500);
    for (let time = 0; time < 2_500; time += 100) {
      const client = await ask();
      const end = closed(client);
      owed.shift()!.end();
      await end;
      expect(isOver()).toBe(false);
      await pass(100);
    }
    expect(isOver()).toBe(true);
  });

  it('does so for the whole time after the last client has left, however long it was connected', async () => {
    const client = await open();
    await pass(250);
    const left = Promise.all([once(client, 'close'), once(accepted, 'close')]);
    client.destroy();
    await left;
    const isOver = drain(200);
    await pass(199);
    expect(isOver()).toBe(false);
    await pass(1);
    expect(isOver()).toBe(true);
  });

  it('ends at once where nobody was connected for as long before', async () => {
    await connections.drain(600_000);
  });

  it('does so for a limited time, whoever is connected', async () => {
    const client = await open();
    const isOver = drain(10);
    await pass(10);
    expect(isOver()).toBe(true);
    expect(client.destroyed).toBe(false);
  });
});
