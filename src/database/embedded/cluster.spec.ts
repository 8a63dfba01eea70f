import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  identifyCluster,
  inspectCluster,
  parsePostmasterPid,
  parseProcStat,
  processState,
  requireMajor,
  requireUnchanged,
  type DataLayout,
  dataLayout,
} from './data-dir.js';

describe('a cluster', () => {
  let layout: DataLayout;
  let cluster: string;
  beforeEach(async () => {
    layout = dataLayout(await mkdtemp(join(tmpdir(), 'fairlead-cluster-')));
    ({ cluster } = layout);
  });
  afterEach(async () => rm(layout.root, { recursive: true, force: true }));

  it('is not there where there is nothing, or an empty directory', async () => {
    expect(await inspectCluster(layout)).toBeUndefined();
    await mkdir(cluster);
    expect(await inspectCluster(layout)).toBeUndefined();
  });

  it('has a version and an owner', async () => {
    await mkdir(cluster);
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
    const owner = { uid: process.geteuid?.(), gid: process.getegid?.() };
    expect(await inspectCluster(layout)).toEqual({ major: '18', ...owner });
  });

  it('must be of the major version of the programs', () => {
    requireMajor('/data/postgres', '18', '18');
    expect(() => requireMajor('/data/postgres', '17', '18')).toThrow(
      /PostgreSQL 17.*PostgreSQL 18.*fairlead dump.*DATA_DIR.*fairlead load/,
    );
  });

  describe('that is open', () => {
    let opened: string;
    beforeEach(async () => {
      await mkdir(cluster);
      opened = await identifyCluster(cluster);
    });

    it('stays the same when its files change', async () => {
      await writeFile(join(cluster, 'PG_VERSION'), '18\n');
      await requireUnchanged(cluster, opened);
    });

    it.each<[string, () => Promise<void>]>([
      ['removed', () => rm(cluster, { recursive: true })],
      [
        'replaced',
        async () => {
          await cp(cluster, `${cluster}-copy`, { recursive: true });
          await rename(cluster, `${cluster}-moved`);
          await rename(`${cluster}-copy`, cluster);
        },
      ],
    ])('is lost for good when it is %s', async (change, spoil) => {
      await spoil();
      await expect(requireUnchanged(cluster, opened)).rejects.toMatchObject({
        final: true,
        message: expect.stringContaining(`${cluster} was ${change}`),
      });
    });

    it('is not known while it cannot be looked at', async () => {
      await writeFile(join(layout.root, 'file'), '');
      await expect(requireUnchanged(join(layout.root, 'file', 'postgres'), opened)).rejects.toMatchObject({
        code: 'ENOTDIR',
      });
    });
  });
});

const FILE = '4693\n/proc/self/cwd\n1795261595\n5432\n/run/my data\n\n 16039950        16\nready   \n';

describe('postmaster.pid', () => {
  const parse = (text: string): unknown => parsePostmasterPid(text, '/data/postgres');

  it('has the process, the directory of the socket and the state', () => {
    expect(parse(FILE)).toEqual({ pid: 4693, directory: '/run/my data', status: 'ready' });
    expect(parse(FILE.replace('/run/my data', '.'))).toMatchObject({ directory: '/data/postgres' });
  });

  it('has less when the server has just begun', () => {
    const beginning = FILE.split('\n').slice(0, 4).join('\n');
    expect(parse(beginning)).toEqual({ pid: 4693, directory: undefined, status: '' });
  });

  it.each([
    '',
    '\n',
    '4693\n',
    '4693\n/data\n1795261595\n',
    'x\n\n\n5\n',
    '-4\n\n\n5432\n',
    '1.5\n\n\n5432\n',
  ])('makes no sense as %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });
});

it.each([
  ['4693 (postgres) S 1 4693 4693 0 -1', { state: 'S', name: 'postgres' }],
  ['12 (a) Z (b) Z 1 2', { state: 'Z', name: 'a) Z (b' }],
])('parseProcStat reads %j', (text, expected) => {
  expect(parseProcStat(text)).toEqual(expected);
});

it('processState knows a process that is no server, and one that has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  expect(await processState(child.pid!, tmpdir())).toBe('other');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await processState(child.pid!, tmpdir())).toBe('gone');
});
