import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '../settings/settings.js';
import { openCommandDatabase } from './open-command-database.js';

const mockClose = jest.fn(() => Promise.resolve());
jest.mock('../service-database.js', () => ({
  openServiceDatabase: () => Promise.resolve({ fresh: true, close: () => mockClose() }),
}));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-command-'));
  mockClose.mockClear();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): Promise<unknown> =>
  openCommandDatabase(parseSettings({ DATA_DIR: folder }), { extensions: [] });

describe('an embedded database that a command makes', () => {
  it('is noted for the first server, and stays open [contract 5]', async () => {
    await open();
    expect(existsSync(join(folder, 'unserved'))).toBe(true);
    expect(mockClose).not.toHaveBeenCalled();
  });

  it('is closed where that cannot be noted [contract 5]', async () => {
    mkdirSync(join(folder, 'unserved'));
    await expect(open()).rejects.toMatchObject({ code: 'EISDIR' });
    expect(mockClose).toHaveBeenCalledTimes(1);
  });
});
