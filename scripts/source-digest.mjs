import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Where dist/ keeps the digest of what it was compiled from. */
export const STAMP = '.built';

/** What tsconfig.build.json compiles, and how. */
const SOURCES = ['src', 'migrations', 'tsconfig.json', 'tsconfig.build.json'];

const isCompiled = (name) => !name.endsWith('.spec.ts');

function addTo(hash, path) {
  if (statSync(join(root, path)).isDirectory()) {
    const names = readdirSync(join(root, path)).filter(isCompiled).sort();
    for (const name of names) addTo(hash, `${path}/${name}`);
  } else {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
}

/** Whether there are sources. An image may hold dist/ alone. */
export const hasSources = () => existsSync(join(root, 'src'));

/**
 * Returns a digest of all that is compiled. Times are of no use: a clone, an image and a cache of a build server
 * change them.
 */
export function sourceDigest() {
  const hash = createHash('sha256');
  for (const path of SOURCES) addTo(hash, path);
  return hash.digest('hex');
}
