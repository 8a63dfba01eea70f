import { setTimeout as delay } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Deadline } from '../database/index.js';
import { DatabaseUnavailableError } from '../database/errors.js';
import { AccountShares } from '../accounts/index.js';
import { ShareGuard } from './share.guard.js';

const account = { accountId: 'acme' };
let shares: AccountShares;
let guard: ShareGuard;
let socket: EventEmitter & { destroyed: boolean };

beforeEach(() => {
  shares = new AccountShares({ total: 1, shared: 1, alone: 1, waiting: 5, patience: 10_000 });
  guard = new ShareGuard(shares, new Reflector());
  socket = Object.assign(new EventEmitter(), { destroyed: false });
});

/** A request on the connection. @returns its response */
function ask(deadline?: Deadline): {
  readonly response: EventEmitter;
  readonly admitted: true | Promise<true>;
} {
  const response = new EventEmitter();
  const context = {
    getHandler: () => ask,
    getClass: () => ShareGuard,
    getArgByIndex: (index: number) => [{ user: { ...account, deadline }, socket }, response][index],
  };
  return { response, admitted: guard.canActivate(context as unknown as ExecutionContext) };
}

function close(): void {
  socket.destroyed = true;
  socket.emit('close');
}

const isFree = (): boolean => {
  const leave = shares.enterNow(account);
  leave?.();
  return leave !== undefined;
};

describe('the share of a request', () => {
  it('is held until its answer is written', () => {
    const { response } = ask();
    expect(isFree()).toBe(false);
    response.emit('prefinish');
    expect(isFree()).toBe(true);
  });

  it('ends with its connection, of which the responses of pipelined requests are not told', () => {
    ask();
    close();
    expect(isFree()).toBe(true);
  });

  it('is not held on a connection that was closed before', () => {
    close();
    ask();
    expect(isFree()).toBe(true);
  });

  it('is not waited for when the connection is closed', async () => {
    const leave = shares.enterNow(account);
    const { admitted } = ask();
    close();
    await expect(admitted).rejects.toMatchObject({ status: 400 });
    leave?.();
    await new Promise(setImmediate);
    expect(isFree()).toBe(true);
  });

  it('is not waited for when no statement may begin for the request any more [contract 1]', async () => {
    const leave = shares.enterNow(account);
    const { admitted } = ask(new Deadline(1));
    await expect(admitted).rejects.toBeInstanceOf(DatabaseUnavailableError);
    leave?.();
    await new Promise(setImmediate);
    expect(isFree()).toBe(true);
    expect(socket.listenerCount('close')).toBe(1);
  });

  it('is given back where it comes when the request has just given up', async () => {
    const leave = shares.enterNow(account);
    const { admitted } = ask(new Deadline(1));
    // The timer of the request and the end of the work before it, in one turn where the process is not late.
    const refused = expect(admitted).rejects.toBeInstanceOf(DatabaseUnavailableError);
    const left = delay(1).then(() => leave?.());
    await Promise.all([refused, left]);
    await new Promise(setImmediate);
    expect(isFree()).toBe(true);
  });

  it('is given back where it comes in the very step in which the request gives up [contract 1]', async () => {
    const leave = shares.enterNow(account);
    const deadline = new Deadline(1);
    // The request no longer waits for a share by then, so there is no waiting that its end could end.
    jest.spyOn(deadline, 'wait').mockImplementation(() => {
      leave?.();
      return Promise.reject(new Error('late'));
    });
    await expect(ask(deadline).admitted).rejects.toThrow('late');
    await new Promise(setImmediate);
    expect(isFree()).toBe(true);
  });

  it('adds one listener to the connection, however many requests it has', () => {
    for (let round = 0; round < 50; round++) ask().response.emit('prefinish');
    expect(socket.listenerCount('close')).toBe(1);
  });
});
