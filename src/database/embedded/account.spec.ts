import { tmpdir } from 'node:os';
import { parsePasswd, runProgram, serviceAccount } from './account.js';

const PASSWD = `root:x:0:0:root:/root:/bin/bash
# a comment:x:5:5::/:
broken
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
negative:*:-2:-2:macOS:/var/empty:/usr/bin/false
too-big:x:4294967294:4294967294::/:
postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash
`;

it('parsePasswd keeps the users that a program can be started as', () => {
  expect(parsePasswd(PASSWD)).toEqual([
    { name: 'nobody', uid: 65534, gid: 65534 },
    { name: 'postgres', uid: 101, gid: 104 },
  ]);
  expect(parsePasswd('')).toEqual([]);
});

describe('serviceAccount', () => {
  const setUser = (uid: number): void =>
    void jest.spyOn(process as Required<NodeJS.Process>, 'geteuid').mockReturnValue(uid);
  afterEach(() => jest.restoreAllMocks());

  it('is none for an ordinary user', async () => {
    setUser(1000);
    expect(await serviceAccount(undefined)).toBeUndefined();
  });

  it('is the owner of the cluster, unless that is root', async () => {
    setUser(0);
    expect(await serviceAccount({ uid: 54321, gid: 6 })).toEqual({ name: 'uid 54321', uid: 54321, gid: 6 });
    expect((await serviceAccount({ uid: 0, gid: 0 }))?.uid).toBeGreaterThan(0);
  });

  it('tells root what to do where there is no such user', async () => {
    setUser(0);
    await expect(serviceAccount(undefined, '/no/such/passwd')).rejects.toThrow(
      /runs as root.*no user "postgres" or "nobody".*ordinary user.*DATABASE_URL/,
    );
  });
});

describe('runProgram', () => {
  const options = { cwd: tmpdir(), account: undefined };

  it('gives the exit code and all output of a program, which may read something', async () => {
    const result = runProgram('/bin/sh', ['-c', 'cat; echo oh >&2; exit 3'], { ...options, input: 'in\n' });
    expect(await result).toEqual({ code: 3, output: 'in\noh\n' });
  });

  it('says why a program did not start', async () => {
    expect(await runProgram('/no/such/program', [], options)).toMatchObject({
      code: null,
      failure: 'ENOENT',
    });
    // spawn throws this one.
    expect(await runProgram('/bin/sh', ['\0'], options)).toMatchObject({ failure: 'ERR_INVALID_ARG_VALUE' });
  });
});
