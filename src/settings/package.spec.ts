import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownCommand } from './package.js';

let root: string;

beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'fairlead-own-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Makes a file. @returns its folder */
function withFile(...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return dirname(file);
}

describe('The command line is called', () => {
  it('by npm in a clone', () => {
    withFile('clone', 'scripts', 'build.mjs');
    const clone = join(root, 'clone');
    expect(ownCommand(clone, clone)).toBe('npm run -s fairlead --');
    expect(ownCommand(root, clone)).toBe(`node ${join(clone, 'dist/src/cli.js')}`);
  });

  it('by npx in a folder that has the package, and below it', () => {
    const installed = withFile('app', 'node_modules', 'fairlead', 'package.json');
    withFile('app', 'node_modules', '.bin', 'fairlead');
    expect(ownCommand(join(root, 'app'), installed)).toBe('npx fairlead');
    expect(ownCommand(join(root, 'app', 'sub'), installed)).toBe('npx fairlead');
    for (const cwd of [root, join(root, 'application')]) {
      expect(ownCommand(cwd, installed)).toBe(`node ${join(installed, 'dist/src/cli.js')}`);
    }
  });

  it('by its file where only what runs was copied', () => {
    const slim = withFile('opt', 'package.json');
    expect(ownCommand(slim, slim)).toBe(`node ${join(slim, 'dist/src/cli.js')}`);
  });
});
