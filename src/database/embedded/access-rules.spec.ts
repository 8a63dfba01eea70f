import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasAccessRules, writeAccessRules } from './access-rules.js';
import { type ClusterFiles, clusterFiles } from './data-layout.js';

describe('the access rules', () => {
  let files: ClusterFiles;
  beforeEach(async () => {
    files = clusterFiles(await mkdtemp(join(tmpdir(), 'fairlead-access-')));
  });
  afterEach(async () => rm(files.cluster, { recursive: true, force: true }));

  it('let roles in by SCRAM only, and are the owner’s', async () => {
    await writeAccessRules(files, undefined);
    const rules = (await readFile(files.accessFile, 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));
    expect(rules).toEqual(['local all all scram-sha-256']);
    expect((await stat(files.accessFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(files.cluster)).toEqual(['pg_hba.conf']);
  });

  it('are missing until they are written, and when others have been written', async () => {
    expect(await hasAccessRules(files)).toBe(false);
    await writeAccessRules(files, undefined);
    expect(await hasAccessRules(files)).toBe(true);
    await writeFile(files.accessFile, 'local all all trust\n');
    expect(await hasAccessRules(files)).toBe(false);
  });

  it('that cannot be read are an error of DATA_DIR', async () => {
    await expect(hasAccessRules({ ...files, accessFile: files.cluster })).rejects.toThrow('(DATA_DIR)');
  });
});
