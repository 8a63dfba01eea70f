import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { completeNative } from '../embedded/native-links.js';
import { type PlatformPackage, platformPackageName } from '../embedded/platform-package.js';
import { runProgram } from '../embedded/run-program.js';

const PROGRAM = process.platform === 'win32' ? 'postgres.exe' : 'postgres';

/**
 * Finds PostgreSQL's programs of any version: in the folder itself, which holds `bin`, or in the package of
 * npm that was installed in it.
 * @throws Error naming the folder when there are none, or they cannot be run here
 */
export async function otherPrograms(folder: string): Promise<PlatformPackage> {
  const name = platformPackageName(process.platform, process.arch) ?? '';
  const places = ['.', 'native', join('node_modules', name, 'native')].map((path) => resolve(folder, path));
  for (const native of places) {
    const program = join(native, 'bin', PROGRAM);
    const isThere = await access(program).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    // This completes a package of npm. In any other folder there is nothing to complete.
    await completeNative(native).catch(() => undefined);
    const { output } = await runProgram(program, ['--version'], { cwd: native, account: undefined });
    const [, version] = /\(PostgreSQL\) (\d+[.\w]*)/.exec(output) ?? [];
    if (version !== undefined) return { native, version };
    throw new Error(`${program} cannot be run: ${output.trim()}`);
  }
  throw new Error(`${folder} holds no programs of PostgreSQL: there is no ${join('bin', PROGRAM)} in it`);
}
