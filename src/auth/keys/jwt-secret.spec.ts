import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwtSecret } from './token-keys.js';
import { parseSettings } from '../../settings/settings.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyOf = (environment: Record<string, string>): string =>
  jwtSecret(parseSettings(environment)).export().toString('utf8');

describe('the signing key', () => {
  it('is JWT_SECRET where that is set, on either database [contract 5]', () => {
    const JWT_SECRET = 's'.repeat(40);
    expect(keyOf({ JWT_SECRET, DATA_DIR: folder })).toBe(JWT_SECRET);
    expect(keyOf({ JWT_SECRET, DATABASE_URL: 'postgres://host/name', DATA_DIR: folder })).toBe(JWT_SECRET);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is required with an external database [contract 5]', () => {
    expect(() => keyOf({ DATABASE_URL: 'postgres://host/name', DATA_DIR: folder })).toThrow(
      'Invalid environment:\n  - JWT_SECRET is required (at least 32 bytes) when DATABASE_URL is set',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is generated once and kept in DATA_DIR, for its owner only [contract 5]', () => {
    const DATA_DIR = join(folder, 'deep', 'data');
    const key = keyOf({ DATA_DIR });
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(keyOf({ DATA_DIR })).toBe(key);
    expect(readdirSync(DATA_DIR)).toEqual(['jwt-secret']);
    expect(statSync(join(DATA_DIR, 'jwt-secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(DATA_DIR, 'jwt-secret'), 'utf8').trim()).toBe(key);
    expect(keyOf({ DATA_DIR: folder })).not.toBe(key);
  });

  it('is refused where the kept one is too short, naming file and remedy [contract 5]', () => {
    writeFileSync(join(folder, 'jwt-secret'), 'short\n');
    expect(() => keyOf({ DATA_DIR: folder })).toThrow(
      `DATA_DIR holds an unusable ${join(folder, 'jwt-secret')}: delete it to have a new secret generated`,
    );
  });

  it('cannot be kept where DATA_DIR is a file, and the error names the variable [contract 5]', () => {
    const DATA_DIR = join(folder, 'file');
    writeFileSync(DATA_DIR, '');
    expect(() => keyOf({ DATA_DIR })).toThrow(/^DATA_DIR .*file/);
  });

  it('cannot be kept where there is not even the root of DATA_DIR, as without a drive [contract 5]', () => {
    jest.spyOn(fs, 'existsSync').mockReturnValue(false);
    jest.spyOn(fs, 'mkdirSync').mockImplementation((path) => {
      throw new Error(`ENOENT: ${String(path)}`);
    });
    expect(() => keyOf({ DATA_DIR: '/deep/data' })).toThrow(
      /^DATA_DIR \/deep\/data cannot be used: ENOENT: \/\./,
    );
    jest.restoreAllMocks();
  });
});
