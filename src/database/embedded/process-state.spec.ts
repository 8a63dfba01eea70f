import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { judgePs, parseProcStat, processState } from './process-state.js';

describe('parseProcStat', () => {
  it.each([
    ['4693 (postgres) S 1 4693 4693 0 -1', { state: 'S', name: 'postgres' }],
    ['12 (a) Z (b) Z 1 2', { state: 'Z', name: 'a) Z (b' }],
  ])('reads %j', (text, expected) => {
    expect(parseProcStat(text)).toEqual(expected);
  });
});

describe('judgePs', () => {
  const command = '/app/native/bin/postgres -D /data/postgres -c port=5';
  it.each([
    ['', 'gone'],
    ['Z    (postgres)', 'zombie'],
    [`Ss   ${command}\n`, 'ours'],
    [`Ss   ${command.replace('/data/postgres', '/data/postgres2')}`, 'other'],
    ['S+   vim -D /data/pg ', 'other'],
  ])('takes %j for %s', (line, state) => {
    expect(judgePs(line, '/data/postgres')).toBe(state);
  });
});

describe('processState', () => {
  it('knows a process that has ended, and one that is no server', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    expect(await processState(child.pid!, tmpdir())).toBe('other');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await processState(child.pid!, tmpdir())).toBe('gone');
  });
});
