import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataLayout, dataLayout } from './data-layout.js';
import { loadPassword } from './password-file.js';

describe('loadPassword', () => {
  let layout: DataLayout;
  beforeEach(async () => {
    layout = dataLayout(await mkdtemp(join(tmpdir(), 'fairlead-password-')));
  });
  afterEach(async () => rm(layout.root, { recursive: true, force: true }));

  it('makes one up, for its owner’s eyes, and keeps it', async () => {
    const password = await loadPassword(layout, false);
    expect(password).toMatch(/^[\w-]{32}$/);
    expect((await stat(layout.passwordFile)).mode & 0o777).toBe(0o600);
    expect(await readFile(layout.passwordFile, 'utf8')).toBe(`${password}\n`);
    expect(await readdir(layout.root)).toEqual(['postgres-password']);
    expect(await loadPassword(layout, true)).toBe(password);
    expect(await loadPassword(layout, false)).toBe(password);
  });

  it('gives the same one to all that come at once', async () => {
    const passwords = await Promise.all(Array.from({ length: 10 }, async () => loadPassword(layout, false)));
    expect(new Set(passwords).size).toBe(1);
  });

  it('makes a new one in place of an empty file while there is no database', async () => {
    await writeFile(layout.passwordFile, '\n');
    expect(await loadPassword(layout, false)).toHaveLength(32);
  });

  it('does not invent the password of a database', async () => {
    await expect(loadPassword(layout, true)).rejects.toThrow(
      /postgres-password is missing or empty. Restore/,
    );
  });
});
