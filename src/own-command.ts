import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { packageFolder } from './commands/package-folder.js';

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
