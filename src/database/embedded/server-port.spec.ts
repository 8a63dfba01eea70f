import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { choosePort, keepPort } from './server-port.js';

describe('the port of a data directory', () => {
  let folder: string;
  let portFile: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-port-'));
    portFile = join(folder, 'postgres-port');
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('is the same at every start', async () => {
    const port = await choosePort(portFile);
    await keepPort(portFile, port);
    expect(await readFile(portFile, 'utf8')).toBe(`${port}\n`);
    expect(await choosePort(portFile)).toBe(port);
    await keepPort(portFile, port + 1);
    expect(await readFile(portFile, 'utf8')).toBe(`${port + 1}\n`);
  });

  it('is another one when a program has taken it, and does not give it back', async () => {
    const port = await freePort();
    await keepPort(portFile, port);
    const stranger = createServer().listen({ host: '127.0.0.1', port });
    await once(stranger, 'listening');
    expect(await choosePort(portFile, 100)).not.toBe(port);
    const waiting = choosePort(portFile, 30_000);
    stranger.close();
    await once(stranger, 'close');
    expect(await waiting).toBe(port);
  });

  it.each(['', 'a port', '0', '65536', '1.5'])('is any free one when the file says %j', async (text) => {
    await writeFile(portFile, text);
    expect(await choosePort(portFile)).toBeGreaterThan(0);
  });

  it('is not kept where the file cannot be written, which is no reason to fail', async () => {
    await keepPort(join(folder, 'missing', 'file'), 1234);
  });
});
