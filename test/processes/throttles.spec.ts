import { ApiClient } from '../support/api-client.js';
import { decodeToken } from '../support/forge-token.js';
import { ServerProcesses } from '../support/processes/server-processes.js';
import { sql } from '../support/database/stored-records.js';
import { waitFor } from '../support/wait-for.js';

const LIMIT = 200;

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
async function exhaust(api: ApiClient, onAdmitted?: (admitted: number) => Promise<void>): Promise<number> {
  for (let admitted = 0; admitted <= LIMIT; admitted++) {
    const { status } = await api.get('/contacts');
    if (status === 429) return admitted;
    expect(status).toBe(200);
    await onAdmitted?.(admitted + 1);
  }
  return LIMIT + 1;
}

/** Waits until so many requests of a client or an account are told. @returns how many are */
const told = (subjectId: string, least: number): Promise<number> =>
  waitFor(`${least} requests to be told`, async () => {
    const [row] = await sql<{ requests: number }>(
      servers.desk,
      'SELECT requests FROM request_counts WHERE subject_id = $1',
      [subjectId],
    );
    return row !== undefined && row.requests >= least ? row.requests : undefined;
  });

/**
 * As `exhaust`, at a process that knows what the other one has admitted before it gets its second request.
 * Processes tell each other once a second.
 */
async function exhaustNext(api: ApiClient, subjectId: string): Promise<number> {
  const before = await told(subjectId, LIMIT);
  return exhaust(api, async (admitted) => {
    if (admitted === 1) await told(subjectId, before + 1);
  });
}

describe('Two processes', () => {
  it('share the limit of a client, but for what comes in a second [contract 6]', async () => {
    const { token } = await servers.desk.login('acme');
    const [one, two] = await start({ RATE_LIMIT_PER_CLIENT: String(LIMIT) }, token!);
    const clientId = String(decodeToken(token!).claims['client_id']);
    expect(await exhaust(one!)).toBe(LIMIT);
    await told(clientId, LIMIT);
    await sql(servers.desk, `UPDATE request_counts SET ends_at = ends_at - interval '20 s'`);
    const beyond = await exhaustNext(two!, clientId);
    expect(beyond).toBeGreaterThan(0);
    expect(beyond).toBeLessThanOrEqual(1 + 5);
    const answer = await two!.get('/contacts');
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
    // The minute began with the first request of the first process, which seems to be 20 seconds ago.
    const [{ left }] = (await sql<{ left: number }>(
      servers.desk,
      'SELECT extract(epoch FROM ends_at - clock_timestamp())::float8 AS left FROM request_counts WHERE subject_id = $1',
      [clientId],
    )) as [{ left: number }];
    const reset = Number(answer.headers.get('ratelimit-reset'));
    expect(reset).toBeLessThanOrEqual(40);
    expect(reset).toBeGreaterThanOrEqual(Math.floor(left));
  });

  it('share the limit of an account, but for what comes in a second [contract 6]', async () => {
    const [mine, yours] = [await servers.desk.login('crowd'), await servers.desk.login('crowd')];
    const env = { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: String(LIMIT) };
    const [one, two] = await start(env, mine.token!);
    expect(await exhaust(one!)).toBe(LIMIT);
    const other = new ApiClient(two!.baseUrl, yours.token);
    const { accountId } = await servers.desk.account('crowd');
    expect(await exhaustNext(other, accountId)).toBeLessThanOrEqual(1 + 5);
    const neighbour = await servers.desk.login('neighbour');
    expect((await new ApiClient(two!.baseUrl, neighbour.token).get('/contacts')).status).toBe(200);
  });
});
