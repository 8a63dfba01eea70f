// The command line of the program.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** @param names of the scenarios @throws Error for an unknown option or scenario */
export function readOptions(names) {
  const { values } = parseArgs({
    options: {
      long: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      previous: { type: 'string' },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 20) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`--seed must be a whole number, not ${values.seed}`);
  const unknown = values.only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only ${unknown[0]}: the scenarios are ${names.join(', ')}`);
  return {
    seed,
    long: values.long,
    only: values.only,
    /** Revision of the previous release. */
    previous: values.previous ?? readFileSync(new URL('previous-release', import.meta.url), 'utf8').trim(),
    progress: (text) => console.log(text),
  };
}
