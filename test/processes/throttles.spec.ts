import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.js';
import { ServerProcesses } from '../support/server-processes.js';

const LIMIT = 200;

/** Most requests that a process admits before it tells the others at once. */
const UNTOLD = LIMIT / 50;

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

/** Starts two processes with limits. @returns clients of both with the same token */
async function start(env: Readonly<Record<string, string>>, token: string): Promise<ApiClient[]> {
  const programs = [1, 2].map(() => servers.programs.server({ ...servers.env, ...env }));
  const addresses = await Promise.all(programs.map((program) => program.listening()));
  return addresses.map((address) => new ApiClient(address, token));
}

/** Sends requests one after the other until one is refused. @returns how many were admitted */
async function exhaust(api: ApiClient, pause: number): Promise<number> {
  for (let admitted = 0; admitted <= LIMIT; admitted++) {
    // What a process admits while its report is under way is none of the bound.
    if (admitted >= UNTOLD) await delay(pause);
    const { status } = await api.get('/contacts');
    if (status === 429) return admitted;
    expect(status).toBe(200);
  }
  return LIMIT;
}

describe('Two processes', () => {
  it('share the limit of a client, to a fiftieth of it [contract 6]', async () => {
    const { token } = await servers.desk.login('acme');
    const [one, two] = await start({ RATE_LIMIT_PER_CLIENT: String(LIMIT) }, token!);
    expect(await exhaust(one!, 0)).toBe(LIMIT);
    const beyond = await exhaust(two!, 100);
    expect(beyond).toBeGreaterThan(0);
    expect(beyond).toBeLessThanOrEqual(UNTOLD + 5);
    const [before, answer] = await Promise.all([one!.get('/contacts'), two!.get('/contacts')]);
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
    // The minute began with the first request of the first process.
    const [first, second] = [before, answer].map(({ headers }) => Number(headers.get('ratelimit-reset')));
    expect(Math.abs(first! - second!)).toBeLessThanOrEqual(1);
  });

  it('share the limit of an account, to a fiftieth of it [contract 6]', async () => {
    const [mine, yours] = [await servers.desk.login('crowd'), await servers.desk.login('crowd')];
    const env = { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: String(LIMIT) };
    const [one, two] = await start(env, mine.token!);
    expect(await exhaust(one!, 0)).toBe(LIMIT);
    const other = new ApiClient(two!.baseUrl, yours.token);
    expect(await exhaust(other, 100)).toBeLessThanOrEqual(UNTOLD + 5);
    const neighbour = await servers.desk.login('neighbour');
    expect((await new ApiClient(two!.baseUrl, neighbour.token).get('/contacts')).status).toBe(200);
  });
});
