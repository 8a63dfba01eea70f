import type { Database } from '../database/index.js';
import type { ApiClientsRepository, ClientStatus } from './api-clients.repository.js';
import { ClientStatusCache } from './client-status.cache.js';

const STATUS: ClientStatus = {
  accountId: 'account',
  secretHash: Buffer.alloc(32),
  previousHash: null,
  scopes: ['dispatch'],
};

let now: number;
let asked: string[];
let answer: (clientId: string) => Promise<ClientStatus | undefined>;
let cache: ClientStatusCache;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  asked = [];
  answer = () => Promise.resolve(STATUS);
  const clients = {
    findActive: (_: unknown, clientId: string) => {
      asked.push(clientId);
      return answer(clientId);
    },
  };
  cache = new ClientStatusCache({} as Database, clients as unknown as ApiClientsRepository);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

function pass(milliseconds: number): void {
  now += milliseconds;
  jest.advanceTimersByTime(milliseconds);
}

describe('the status of a client', () => {
  it('is asked once for all requests that arrive meanwhile [contract 2]', async () => {
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])).toEqual([
      STATUS,
      STATUS,
      STATUS,
    ]);
    expect(await cache.get('a')).toBe(STATUS);
    expect(asked).toEqual(['a', 'b']);
  });

  it('is believed for less than the five seconds of the contract [contract 2]', async () => {
    await cache.get('a');
    answer = () => Promise.resolve(undefined);
    pass(4_999);
    expect(await cache.get('a')).toBeUndefined();
    expect(asked).toEqual(['a', 'a']);
  });

  it('is believed for a moment where there is no such client, too [contract 2]', async () => {
    answer = () => Promise.resolve(undefined);
    expect(await cache.get('a')).toBeUndefined();
    expect(await cache.get('a')).toBeUndefined();
    expect(asked).toEqual(['a']);
  });

  it('is not remembered as unknown when the database failed [contract 1]', async () => {
    answer = () => Promise.reject(new Error('lost'));
    await expect(cache.get('a')).rejects.toThrow('lost');
    answer = () => Promise.resolve(STATUS);
    expect(await cache.get('a')).toBe(STATUS);
  });
});
