import { join } from 'node:path';
import { Programs } from '../support/processes/program.js';
import { waitFor } from '../support/wait-for.js';

const programs = new Programs();
afterEach(() => programs.end());

describe('For a person, with LOG_FORMAT=pretty,', () => {
  it('the start ends with a box of addresses and credentials, and requests are lines of text [contract 5]', async () => {
    const server = programs.server({ LOG_FORMAT: 'pretty' }, await programs.folderWithData());
    const [, address = ''] = await waitFor(
      'the box',
      () => /│ {2}API +(\S+) +│/.exec(server.stdout) ?? undefined,
    );
    await waitFor('the commands', () => server.stdout.includes('/dispatch/router'));
    const lines = server.stdout.split('\n');
    expect(lines.some((line) => line.includes(`Docs           ${address}/docs `))).toBe(true);
    const cli = join(__dirname, '../../dist/src/cli.js');
    expect(lines.some((line) => line.includes(`Commands       node ${cli} --help `))).toBe(true);
    const top = lines.findIndex((line) => line.startsWith('┌'));
    const bottom = lines.findIndex((line) => line.startsWith('└'));
    const inside = lines.slice(top, bottom + 1);
    expect(new Set(inside.map(({ length }) => length)).size).toBe(1);
    expect(inside.join('\n')).toMatch(/client_id: +[0-9a-f-]{36} +│\n│ +client_secret: +[\w-]{43} +│/);
    expect(lines.filter((line) => line.includes('curl '))).toHaveLength(3);
    await fetch(`${address}/contacts?x=1`);
    await waitFor('the line of the request', () => /GET \/contacts 401 in \d+ ms\n/.test(server.stdout));
    expect(await server.stop()).toBe(0);
    expect(server.logs).toEqual([]);
    expect(server.stderr).toBe('');
  });
});
