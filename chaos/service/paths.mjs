// Where the project and its built parts are.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const load = createRequire(import.meta.url);

/** Loads a built module of the service. */
export const built = (path) => load(join(ROOT, 'dist', 'src', path));
