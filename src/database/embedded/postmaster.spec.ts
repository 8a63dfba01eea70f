import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { parsePostmasterPid, parseProcStat, processState } from './postmaster.js';

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
