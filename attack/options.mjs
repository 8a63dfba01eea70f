// The command line of the program.
import { parseArgs } from 'node:util';

const PARTS = ['hostile', 'linearity', 'fuzz', 'neighbour'];

const FIXED_SEED = 1;

export function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      part: { type: 'string', multiple: true, default: PARTS },
      only: { type: 'string', default: '' },
      seconds: { type: 'string' },
      records: { type: 'string' },
      seed: { type: 'string' },
      requests: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const { quick, part, only, verbose } = values;
  const number = (name, quickly, otherwise) => Number(values[name] ?? (quick ? quickly : otherwise));
  return {
    quick,
    only,
    verbose,
    parts: part,
    /** Seconds for which a case runs beside another account's client. */
    seconds: number('seconds', 0.2, 1),
    /** Records in the noisy account. */
    records: number('records', 5_000, 50_000),
    neighbourSeconds: number('seconds', 1, 8),
    requests: number('requests', 1_000, 10_000),
    seeds:
      values.seed === undefined ? [FIXED_SEED, Math.floor(Math.random() * 2 ** 31)] : [Number(values.seed)],
    /** Whether cases run beside another account's client, too. */
    victim: !quick,
    samples: quick ? 1 : 5,
    /** Most requests that make a sample. */
    together: quick ? 2 : 10,
    sockets: quick ? 200 : 1_000,
    fatRecords: quick ? 20 : 100,
    progress: (text) => verbose && console.error(text),
  };
}
