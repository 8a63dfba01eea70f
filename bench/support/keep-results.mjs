// Keeps the figures of a run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Writes figures to bench/results, under the name of the benchmark and the time. @returns the file */
export function keepResults(name, figures) {
  const folder = fileURLToPath(new URL('../results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = `${folder}${name}-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`;
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  return file;
}
