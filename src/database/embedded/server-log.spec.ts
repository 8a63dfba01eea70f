import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_LOG_BYTES, openServerLog, tailServerLog } from './server-log.js';

describe('the log of the server', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-log-'));
    path = join(folder, 'postgres.log');
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('is private, grows, and shows the lines of the present start only', async () => {
    await writeFile(path, 'an earlier start\n', { mode: 0o600 });
    const { handle, from } = await openServerLog(path);
    await handle.write('one\ntwo\nthree\n');
    await handle.close();
    expect(await tailServerLog(path, from)).toBe('one\ntwo\nthree');
    expect(await tailServerLog(path, from, 2)).toBe('two\nthree');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is emptied when it has become too long', async () => {
    await writeFile(path, '');
    await truncate(path, MAX_LOG_BYTES + 1);
    const { handle, from } = await openServerLog(path);
    await handle.write('fresh\n');
    await handle.close();
    expect(from).toBe(0);
    expect((await stat(path)).size).toBe(6);
    await truncate(path, MAX_LOG_BYTES);
    const kept = await openServerLog(path);
    await kept.handle.close();
    expect(kept.from).toBe(MAX_LOG_BYTES);
  });

  it('names DATA_DIR when it cannot be written; a tail of nothing is empty', async () => {
    await expect(openServerLog(join(path, 'below', 'file'))).rejects.toThrow('DATA_DIR');
    expect(await tailServerLog(path, 0)).toBe('');
  });
});
