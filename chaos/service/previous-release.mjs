// The release before this one, built once.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './environment.mjs';

const run = promisify(execFile);

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fairlead-chaos');

/**
 * Builds a commit of this repository with the packages of its own lock file, unless it was built before.
 * @param progress is told when it takes a while
 * @returns the directory of the release; undefined when this clone lacks the commit, as a shallow one does
 * @throws Error when it cannot be built
 */
export async function previousRelease(commit, progress) {
  const parsed = run('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: ROOT });
  const { stdout } = await parsed.catch(() => ({ stdout: '' }));
  if (stdout === '') return undefined;
  const directory = join(CACHE, stdout.trim());
  if (existsSync(directory)) return directory;
  progress(`building the release ${commit} in ${directory} …`);
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'));
  try {
    const archive = join(unfinished, 'source.tar');
    await run('git', ['archive', '--output', archive, stdout.trim()], { cwd: ROOT });
    await run('tar', ['-xf', archive], { cwd: unfinished });
    rmSync(archive);
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: unfinished, maxBuffer: 2 ** 26 });
    await run('npm', ['run', '-s', 'build'], { cwd: unfinished, maxBuffer: 2 ** 26 });
    renameSync(unfinished, directory);
    return directory;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
