import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { LoopbackServer } from '../testing/loopback-server.js';
import { OwedAnswers } from './owed-answers.js';
import { unreadAnswers } from './unread-answers.js';

/** More than the system keeps of a connection that is not read. */
const LARGE = 16 * 1024 * 1024;
const BOUNDS = { idle: 2.5 * LARGE, slow: 8.5 * LARGE };

/** Milliseconds between two looks. */
const LOOK = 50;

let server: Server;
let loopback: LoopbackServer;

beforeEach(async () => {
  jest.useFakeTimers({
    doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'setTimeout', 'clearTimeout'],
  });
  server = createServer();
  const middleware = unreadAnswers(OwedAnswers.of(server), BOUNDS);
  server.on('request', (request, response) => {
    const body = Buffer.alloc(Number(request.url!.slice(1)));
    void middleware(request as Request, response as Response, () => response.end(body));
  });
  loopback = await LoopbackServer.start(server);
});
afterEach(async () => {
  await loopback.stop();
  jest.useRealTimers();
});

interface Asked {
  readonly client: Socket;
  /** The connection at the server. */
  readonly accepted: Socket;
}

/** Asks for an answer of so many bytes. It is not read yet. */
async function ask(bytes = LARGE, { times = 1 } = {}): Promise<Asked> {
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const client = loopback.connect();
  const [accepted] = await connected;
  const asked = once(server, 'request');
  client.write(`GET /${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
  await asked;
  return { client, accepted };
}

/** Asks for so many answers that nobody reads. @returns whether each is cut */
async function flood(count: number): Promise<() => boolean[]> {
  const all: Asked[] = [];
  while (all.length < count) all.push(await ask());
  return () => all.map(({ accepted }) => accepted.destroyed);
}

/** Reads so many bytes. The server sends more only when much of what the system keeps is read. */
async function read({ client, accepted }: Asked, bytes = LARGE): Promise<void> {
  const end = client.bytesRead + bytes;
  client.resume();
  while (client.bytesRead < end && !accepted.destroyed) await once(client, 'data');
  client.pause();
}

const look = (times = 1): void => jest.advanceTimersByTime(times * LOOK);

describe('answers that clients do not read', () => {
  it('are kept within a bound', async () => {
    const isCut = await flood(2);
    look(1_000);
    expect(isCut()).toEqual([false, false]);
  });

  it('are cut beyond it, that with the most bytes first, until they are within it', async () => {
    const [small, large] = [await ask(LARGE), await ask(2 * LARGE)];
    const isCut = await flood(1);
    look(4);
    expect([small, large].map(({ accepted }) => accepted.destroyed)).toEqual([false, false]);
    look();
    expect([small, large].map(({ accepted }) => accepted.destroyed)).toEqual([false, true]);
    look(1_000);
    expect([small.accepted.destroyed, ...isCut()]).toEqual([false, false]);
  });

  it('are counted, too, while they wait behind another one', async () => {
    const { accepted } = await ask(LARGE, { times: 3 });
    look(5);
    expect(accepted.destroyed).toBe(true);
  });

  it('leave a client alone that reads slowly', async () => {
    const slow = await ask(4 * LARGE);
    const isCut = await flood(4);
    for (let parts = 0; parts < 3; parts++) {
      await read(slow);
      look(4);
    }
    expect(isCut()).toEqual([true, true, true, true]);
    await read(slow, 4 * LARGE - slow.client.bytesRead);
    expect(slow.accepted.destroyed).toBe(false);
  });

  it('are cut two seconds after a client has read the last of them, not sooner', async () => {
    const pausing = await ask(4 * LARGE);
    const isCut = await flood(4);
    await read(pausing);
    look(40);
    expect([pausing.accepted.destroyed, ...isCut()]).toEqual([false, true, true, true, true]);
    look(1);
    expect(pausing.accepted.destroyed).toBe(true);
  });

  it('leave a client alone that has read', async () => {
    const quick = await ask();
    await read(quick, LARGE);
    const isCut = await flood(4);
    look(5);
    expect(isCut().filter(Boolean)).toHaveLength(2);
    expect(quick.accepted.destroyed).toBe(false);
  });
});

describe('answers that clients read slowly', () => {
  /** So many clients that read a part between two looks, for some milliseconds. */
  async function readFor(milliseconds: number, clients: readonly Asked[]): Promise<boolean[]> {
    for (let time = 0; time < milliseconds; time += 4 * LOOK) {
      await Promise.all(clients.map((each) => read(each, LARGE / 2)));
      look(4);
    }
    return clients.map(({ accepted }) => accepted.destroyed);
  }

  it('are cut after two seconds beyond a bound of their own, the oldest first', async () => {
    const clients = [await ask(6 * LARGE), await ask(6 * LARGE)];
    expect(await readFor(1_800, clients)).toEqual([false, false]);
    expect(await readFor(400, clients)).toEqual([true, false]);
  });
});
