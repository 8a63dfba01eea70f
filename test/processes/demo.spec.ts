import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ApiClient } from '../support/api-client.js';
import { announced, startOnData, tokenOf } from '../support/processes/first-start.js';
import { Programs } from '../support/processes/program.js';

const programs = new Programs();

afterEach(() => programs.end());

describe('the first start on a fresh embedded database', () => {
  it('prints credentials and three curl lines that work as they are, beside logs without the secret [4.1, 4.3, 4.6, contract 1, contract 5]', async () => {
    const env = { HOST: '127.0.0.1', LOG_LEVEL: 'trace' };
    const { server, url } = await startOnData(programs, programs.folder(), env);
    const demo = announced(server.stdout);
    expect(demo.clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(demo.clientSecret).toMatch(/^[\w-]{43}$/);
    expect(demo.lines).toHaveLength(3);
    expect(demo.lines.every((line) => line.includes(url))).toBe(true);

    const { stdout } = await promisify(execFile)('bash', ['-euc', demo.lines.join('\n')], {
      timeout: 30_000,
    });
    expect(JSON.parse(stdout)).toEqual({
      message: 'The object was successfully assigned',
      success: true,
      user: expect.stringMatching(/^[a-z]+@demo\.test$/),
      field_name: 'contact_owner',
      owner_assigned_at: expect.any(String),
      assignment_id: expect.any(String),
      reason: expect.any(String),
    });
    const api = new ApiClient(url, await tokenOf(url, demo));
    // Behind the records of its past week.
    const { body: found } = await api.post('/contacts/search', {
      filter: {
        groups: [{ conditions: [{ field: 'email', operator: 'starts_with', value: 'katherine+' }] }],
      },
    });
    expect(found.data).toMatchObject([{ contact_owner: JSON.parse(stdout).user }]);
    expect(await server.stop()).toBe(0);

    expect(server.logs.length).toBeGreaterThan(2);
    expect(JSON.stringify(server.logs)).not.toContain(demo.clientSecret);
    const before = server.stdout.slice(0, server.stdout.indexOf('\nThe demo account'));
    for (const line of before.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    expect(server.stderr).toBe('');
  });
});
