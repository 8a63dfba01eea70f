import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.js';

/** Returns the version of this package, such as `0.1.0`. */
export function fairleadVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
