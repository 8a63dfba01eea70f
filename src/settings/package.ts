import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Returns the folder of this package: the nearest one above the compiled file that has a package.json. */
function packageFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`There is no package.json above ${__dirname}`);
  }
}

/** Returns the version of this package, such as `0.1.0`. */
export function fairleadVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/**
 * Returns how a person who is in a folder calls the command line of this installation: by npm in a clone, by
 * npx beside an installed package, and by its file elsewhere.
 * @param folder that of the package
 */
export function ownCommand(cwd = process.cwd(), folder = packageFolder()): string {
  if (cwd === folder && existsSync(join(folder, 'scripts'))) return 'npm run -s fairlead --';
  const modules = dirname(folder);
  const isBeside = `${cwd}${sep}`.startsWith(join(modules, '..', sep));
  if (isBeside && existsSync(join(modules, '.bin', 'fairlead'))) return 'npx fairlead';
  return `node ${join(folder, 'dist', 'src', 'cli.js')}`;
}
