import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the folder of this package: the nearest one above the compiled file that has a package.json. */
export function packageFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`There is no package.json above ${__dirname}`);
  }
}
