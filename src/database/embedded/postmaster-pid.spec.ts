import { parsePostmasterPid, readPostmasterPid } from './postmaster-pid.js';

const FILE = '4693\n/proc/self/cwd\n1795261595\n54999\n\n127.0.0.1\n 16039950        16\nready   \n';

describe('parsePostmasterPid', () => {
  it('reads process, port, address and state', () => {
    expect(parsePostmasterPid(FILE)).toEqual({
      pid: 4693,
      port: 54999,
      socketDirectory: '',
      listenAddress: '127.0.0.1',
      status: 'ready',
    });
  });

  it('reads the directory of a socket', () => {
    expect(parsePostmasterPid(FILE.replace('\n\n127.0.0.1\n', '\n/run/my data\n\n'))).toMatchObject({
      socketDirectory: '/run/my data',
      listenAddress: '',
      status: 'ready',
    });
  });

  it('reads the file of a server that has just begun', () => {
    const beginning = FILE.split('\n').slice(0, 5).join('\n');
    expect(parsePostmasterPid(beginning)).toEqual({
      pid: 4693,
      port: 54999,
      socketDirectory: '',
      listenAddress: '',
      status: '',
    });
  });

  it.each([
    '',
    '\n',
    '4693\n',
    '4693\n/data\n1795261595\n',
    'x\n\n\n5\n',
    '-4\n\n\n5432\n',
    '1.5\n\n\n5432\n',
  ])('does not make sense of %j', (text) => {
    expect(parsePostmasterPid(text)).toBeUndefined();
  });
});

describe('readPostmasterPid', () => {
  it('tells a missing file from one that cannot be read', async () => {
    expect(await readPostmasterPid('/no/such/postmaster.pid')).toBeUndefined();
    await expect(readPostmasterPid('/')).rejects.toThrow('EISDIR');
  });
});
