import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresOf, Programs } from '../support/processes/program.js';
import { waitFor } from '../support/wait-for.js';

/** A run of tests that goes on for ever. */
const RUN = `
  require(process.argv[2]).reapAfterwards(process.argv[3]);
  process.send('started');
  setInterval(() => undefined, 1000);
`;

const programs = new Programs();
afterEach(() => programs.end());

/** Whether a process runs. One that has ended, and whose parent has not asked how, does not. */
function isRunning(pid: number | string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('A test run that is interrupted', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)(
    'by %s leaves no PostgreSQL, no program and no folder behind',
    async (signal) => {
      const outside = programs.folder();
      const folder = join(realpathSync(outside), 'run');
      mkdirSync(folder);
      writeFileSync(join(outside, 'run.cjs'), RUN);
      const reaper = join(__dirname, '../support/processes/reaper.cjs');
      const run = fork(join(outside, 'run.cjs'), [reaper, folder], { cwd: '/' });
      await once(run, 'message');
      const server = programs.server({}, folder);
      await server.listening();
      const pid = postgresOf(join(folder, 'data'));
      expect(pid).toBeDefined();

      run.kill(signal);
      expect(await server.exit()).toBeNull();
      await waitFor('the folder to go', () => !existsSync(folder));
      await waitFor('PostgreSQL to end', () => !isRunning(pid!));
    },
  );
});
