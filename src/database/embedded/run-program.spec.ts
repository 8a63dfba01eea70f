import { runProgram } from './run-program.js';

const options = { cwd: '/', account: undefined };

describe('runProgram', () => {
  it('gives the exit code and what both streams said', async () => {
    const script = 'echo out; echo err >&2; echo "$LC_ALL"; exit 3';
    const { code, output } = await runProgram('/bin/sh', ['-c', script], options);
    expect(code).toBe(3);
    expect(output.trim().split('\n').sort()).toEqual(['C', 'err', 'out']);
  });

  it.each([
    ['is missing', '/no/such/program', [], '/', 'ENOENT'],
    ['is not executable', '/etc/passwd', [], '/', 'EACCES'],
    ['cannot be given its arguments, which spawn throws', '/bin/sh', ['\0'], '/', 'ERR_INVALID_ARG_VALUE'],
    ['cannot enter its directory', '/bin/sh', [], '/no/such/directory', 'ENOENT'],
  ])('reports a program that %s', async (_, program, args, cwd, code) => {
    expect(await runProgram(program, args, { ...options, cwd })).toMatchObject({
      code: null,
      failure: code,
    });
  });
});
