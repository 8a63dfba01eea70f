import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Programs } from '../support/program.js';

const ROOT = join(__dirname, '../..');
const CONFIGURATION = ['package.json', 'tsconfig.json', 'tsconfig.build.json'];
const SCRIPTS = ['scripts/build.mjs', 'scripts/source-digest.mjs'];

const programs = new Programs();
afterEach(() => programs.end());

/** A folder with some files of the project. */
function copyOf(...paths: readonly string[]): string {
  const folder = programs.folder();
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  return folder;
}

/** A project of one small source, with all packages. */
function smallProject(): string {
  const folder = copyOf(...CONFIGURATION, ...SCRIPTS);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'migrations'));
  write(folder, 'src/main.ts', 'console.log("first");\n');
  return folder;
}

function write(folder: string, path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

function run(folder: string, ...args: readonly string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

const build = (folder: string): ReturnType<typeof run> => run(folder, 'scripts/build.mjs');
const prestart = (folder: string): ReturnType<typeof run> => run(folder, 'scripts/build.mjs', '--if-needed');
const printed = (folder: string): string => run(folder, 'dist/src/main.js').out;

/** Links the packages that `npm ci --omit=dev` installs. */
function linkProductionPackages(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev = false }] of Object.entries(packages)) {
    // What is inside of a package comes with it. Packages for other platforms are not installed.
    if (dev || path.lastIndexOf('node_modules/') !== 0 || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}

/** The compiled files of a folder by path. */
function compiled(folder: string): Record<string, string> {
  const paths = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths
      .filter((path) => path.endsWith('.js'))
      .map((path) => [path, readFileSync(join(folder, 'dist', path), 'utf8')]),
  );
}

describe('npm start', () => {
  it('compiles the same program with the packages of a production install [contract 5]', () => {
    const folder = copyOf(...CONFIGURATION, ...SCRIPTS, 'src', 'migrations');
    linkProductionPackages(folder);
    expect(existsSync(join(folder, 'node_modules/@types/pg'))).toBe(false);
    expect(prestart(folder)).toMatchObject({ code: 0, out: '' });
    expect(prestart(ROOT)).toMatchObject({ code: 0, out: '' });
    expect(compiled(folder)).toEqual(compiled(ROOT));
  });

  it('uses the dist of an image that holds neither sources nor compiler [contract 5]', () => {
    const folder = copyOf('package.json', ...SCRIPTS);
    mkdirSync(join(folder, 'dist/src'), { recursive: true });
    write(folder, 'dist/src/main.js', 'console.log("kept");\n');
    expect(prestart(folder)).toEqual({ code: 0, out: '', err: '' });
    expect(printed(folder)).toBe('kept\n');
    expect(build(folder)).toMatchObject({ code: 1, err: expect.stringContaining('src/ is missing') });
    expect(printed(folder)).toBe('kept\n');
  });

  it('says that it compiles, and does so once [contract 5]', () => {
    const folder = smallProject();
    expect(prestart(folder)).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^Compiling, once/),
    });
    expect(printed(folder)).toBe('first\n');
    // Another time says nothing about the sources.
    cpSync(join(folder, 'src'), join(folder, 'copied'), { recursive: true });
    rmSync(join(folder, 'src'), { recursive: true });
    cpSync(join(folder, 'copied'), join(folder, 'src'), { recursive: true });
    expect(prestart(folder)).toEqual({ code: 0, out: '', err: '' });

    write(folder, 'src/main.ts', 'console.log("second");\n');
    expect(prestart(folder).code).toBe(0);
    expect(printed(folder)).toBe('second\n');
  });

  it('keeps the dist that it cannot replace, and says what to run without a compiler [contract 5]', () => {
    const folder = smallProject();
    expect(build(folder).code).toBe(0);
    write(folder, 'src/main.ts', 'console.log("second";\n');
    expect(prestart(folder)).toMatchObject({ code: 1, err: expect.stringContaining('error TS1005') });
    expect(printed(folder)).toBe('first\n');

    rmSync(join(folder, 'node_modules'));
    expect(prestart(folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('npm ci --include=dev && npm run build && npm prune --omit=dev\n'),
    });
    expect(printed(folder)).toBe('first\n');
    expect(readdirSync(folder).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });
});

describe('A dist that cannot be renamed', () => {
  const MOUNT = `const fs = require('node:fs');
    const { cpSync } = fs;
    fs.renameSync = () => { throw new Error('It is a mount'); };
    if (process.argv.includes('--interrupted')) fs.cpSync = (from, to, options) => {
      const isCopied = (path) => !path.endsWith('main.js') && (options.filter?.(path) ?? true);
      cpSync(from, to, { ...options, filter: isCopied });
      process.exit(1);
    };
    require('node:module').syncBuiltinESMExports();`;
  const buildOnMount = (folder: string, ...args: readonly string[]): ReturnType<typeof run> => {
    write(folder, 'mount.cjs', MOUNT);
    return run(folder, '--require', './mount.cjs', 'scripts/build.mjs', ...args);
  };

  it('is overwritten [contract 5]', () => {
    const folder = smallProject();
    expect(build(folder).code).toBe(0);
    write(folder, 'src/main.ts', 'console.log("second");\n');
    expect(buildOnMount(folder).code).toBe(0);
    expect(prestart(folder)).toEqual({ code: 0, out: '', err: '' });
    expect(printed(folder)).toBe('second\n');
  });

  it('is compiled again where a build has ended while it overwrote it [contract 5]', () => {
    const folder = smallProject();
    expect(build(folder).code).toBe(0);
    write(folder, 'src/main.ts', 'console.log("second");\n');
    expect(buildOnMount(folder, '--interrupted').code).toBe(1);
    expect(printed(folder)).toBe('first\n');
    expect(prestart(folder)).toMatchObject({ code: 0, err: expect.stringMatching(/^Compiling, once/) });
    expect(printed(folder)).toBe('second\n');
  });
});

describe('npm run build', () => {
  it('refuses what has the wrong type, and removes what is compiled no more [contract 5]', () => {
    const folder = smallProject();
    write(folder, 'src/other.ts', 'export const other = 1;\n');
    expect(build(folder)).toEqual({ code: 0, out: '', err: '' });
    expect(existsSync(join(folder, 'dist/src/other.d.ts'))).toBe(true);
    rmSync(join(folder, 'src/other.ts'));
    write(folder, 'src/main.ts', 'const text: string = 1;\nconsole.log(text);\n');
    expect(build(folder)).toMatchObject({ code: 1, err: expect.stringContaining('error TS2322') });
    expect(existsSync(join(folder, 'dist/src/other.js'))).toBe(true);
    write(folder, 'src/main.ts', 'console.log("second");\n');
    expect(build(folder).code).toBe(0);
    expect(readdirSync(join(folder, 'dist/src')).filter((name) => name.endsWith('.js'))).toEqual(['main.js']);
  });
});
