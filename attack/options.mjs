// The command line of the program.
import { parseArgs } from 'node:util';

export function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      seconds: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  return {
    quick,
    only: values.only,
    victim: !quick,
    samples: quick ? 1 : 5,
    seconds: Number(values.seconds ?? (quick ? 0.5 : 3)),
    sockets: quick ? 200 : 1_000,
    fatRecords: quick ? 20 : 100,
    progress: (text) => values.verbose && console.error(text),
  };
}
