import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the version of this package (`0.1.0`), from the nearest package.json above the compiled file. */
export function fairleadVersion(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    try {
      return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
    } catch (error) {
      if (folder === dirname(folder)) throw error;
    }
  }
}
