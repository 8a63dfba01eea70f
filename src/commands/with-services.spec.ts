import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenDatabase } from '../database/open-database.js';
import { parseSettings } from '../settings/settings.js';
import { openCommandDatabase } from './with-services.js';

const close = jest.fn(() => Promise.resolve());
const fresh = (): Promise<OpenDatabase> => Promise.resolve({ fresh: true, close } as unknown as OpenDatabase);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-command-'));
  close.mockClear();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): Promise<unknown> =>
  openCommandDatabase(parseSettings({ DATA_DIR: folder }), { extensions: [] }, fresh);

describe('an embedded database that a command makes', () => {
  it('is noted for the first server, and stays open [contract 5]', async () => {
    await open();
    expect(existsSync(join(folder, 'unserved'))).toBe(true);
    expect(close).not.toHaveBeenCalled();
  });

  it('is closed where that cannot be noted [contract 5]', async () => {
    mkdirSync(join(folder, 'unserved'));
    await expect(open()).rejects.toMatchObject({ code: 'EISDIR' });
    expect(close).toHaveBeenCalledTimes(1);
  });
});
