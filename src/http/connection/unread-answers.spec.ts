import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Request, Response } from 'express';
import { SlowWire } from '../testing/slow-wire.js';
import { OwedAnswers } from './owed-answers.js';
import { unreadAnswers } from './unread-answers.js';

const LARGE = 256 * 1024;
const BOUNDS = { idle: 2.5 * LARGE, slow: 8.5 * LARGE };

/** Milliseconds between two looks. */
const LOOK = 50;

let server: Server;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  server = createServer();
  const middleware = unreadAnswers(OwedAnswers.of(server), BOUNDS);
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

/** Asks for so many answers that nobody reads. @returns whether each is cut */
async function flood(count: number): Promise<() => boolean[]> {
  const all: SlowWire[] = [];
  while (all.length < count) all.push(await ask());
  return () => all.map(({ destroyed }) => destroyed);
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
    expect([small, large].map(({ destroyed }) => destroyed)).toEqual([false, false]);
    look();
    expect([small, large].map(({ destroyed }) => destroyed)).toEqual([false, true]);
    look(1_000);
    expect([small.destroyed, ...isCut()]).toEqual([false, false]);
  });

  it('are counted, too, while they wait behind another one', async () => {
    const wire = await ask(LARGE, { times: 3 });
    look(5);
    expect(wire.destroyed).toBe(true);
  });

  it('leave a client alone that reads slowly', async () => {
    const slow = await ask(4 * LARGE);
    const isCut = await flood(4);
    for (let parts = 0; parts < 3; parts++) {
      await slow.readBytes(LARGE);
      look(4);
    }
    expect(isCut()).toEqual([true, true, true, true]);
    await slow.readBytes(4 * LARGE);
    expect(slow.destroyed).toBe(false);
  });

  it('are cut two seconds after a client has read the last of them, not sooner', async () => {
    const pausing = await ask(4 * LARGE);
    const isCut = await flood(4);
    await pausing.readBytes(LARGE);
    look(40);
    expect([pausing.destroyed, ...isCut()]).toEqual([false, true, true, true, true]);
    look(1);
    expect(pausing.destroyed).toBe(true);
  });

  it('leave a client alone that has read', async () => {
    const quick = await ask();
    await quick.readBytes(2 * LARGE);
    const isCut = await flood(4);
    look(5);
    expect(isCut().filter(Boolean)).toHaveLength(2);
    expect(quick.destroyed).toBe(false);
  });
});

describe('answers that clients read slowly', () => {
  /** So many clients that read a part between two looks, for some milliseconds. */
  async function readFor(milliseconds: number, clients: readonly SlowWire[]): Promise<boolean[]> {
    for (let time = 0; time < milliseconds; time += 4 * LOOK) {
      await Promise.all(clients.map((each) => each.readBytes(LARGE / 2)));
      look(4);
    }
    return clients.map(({ destroyed }) => destroyed);
  }

  it('are cut after two seconds beyond a bound of their own, the oldest first', async () => {
    const clients = [await ask(6 * LARGE), await ask(6 * LARGE)];
    expect(await readFor(1_800, clients)).toEqual([false, false]);
    expect(await readFor(400, clients)).toEqual([true, false]);
  });
});
