// npm run bench -- --against <folder>: the service of another built checkout beside this one. See bench/README.md.
import { join, resolve } from 'node:path';
import { table } from '../support/table.mjs';
import { memoryOf } from '../support/usage.mjs';
import { DISPATCH, median, openSide, rates, ROOT } from './sides.mjs';
import { measureStart } from './start.mjs';

/** The least rate of this checkout, as a part of that of the other. `many`: of ten accounts, one dispatches. */
const ROWS = [
  { name: 'GET', floor: 0.75 },
  { name: 'list 100', floor: 0.8 },
  { name: 'POST', floor: 0.65 },
  { name: 'PATCH', floor: 0.65 },
  { name: DISPATCH, floor: 0.9 },
  { name: 'dispatch, 16 routers', floor: 0.9 },
  { name: 'GET', many: true, floor: 0.85 },
  { name: 'POST', many: true, floor: 0.85 },
  { name: 'PATCH', many: true, floor: 0.85 },
];

/** Seconds of load before a measurement, which do not count. */
const WARM_UP = 1;

/**
 * Measures both in turns and prints their rates. The exit code is 1 where a ratio is below its floor.
 * @param options rounds, seconds of a measurement, records of the account of one, whether a row is wanted
 */
export async function compareWith(folder, { rounds, seconds, records, isWanted, progress }) {
  const roots = [ROOT, resolve(folder)];
  const starts = [];
  for (const root of roots) starts.push(await measureStart(progress, join(root, 'dist', 'src', 'main.js')));
  const undo = [];
  try {
    const builds = [];
    for (const root of roots) {
      progress(`the service of ${root}`);
      builds.push(await openSide(root, { undo, records }));
    }
    const rows = ROWS.filter(isWanted).map((row) => ({ ...row, measured: [[], []] }));
    // The first round is short and does not count: code is compiled, and pages are read.
    for (let round = 0; round <= rounds; round++) {
      for (const row of rows) {
        progress(`round ${round} of ${rounds}: ${row.name}${row.many ? ', ten accounts' : ''}`);
        for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
          await rates(builds[which], row, WARM_UP);
          const found = await rates(builds[which], row, round === 0 ? Math.min(1, seconds) : seconds);
          if (round > 0) row.measured[which].push(found);
        }
      }
    }
    progress('');
    const lines = rows.flatMap(({ name, many, floor, measured }) =>
      measured[0][0].map((_, part) => {
        const [own, other] = measured.map((of) => of.map((each) => each[part]));
        const ratio = median(own.map((rate, round) => rate / other[round]));
        if (ratio < floor) process.exitCode = 1;
        const what = part === 0 ? name : `${DISPATCH}, beside ${name}`;
        const figures = [...[own, other].map((each) => Math.round(median(each))), ratio.toFixed(2), floor];
        return [what, many ? 10 : 1, ...figures, ratio < floor ? 'FAILED' : 'passed'];
      }),
    );
    console.log(table(['operation', 'accounts', 'this', 'other', 'ratio', 'floor', ''], lines));
    for (const [index, name] of ['This', 'The other'].entries()) {
      const { now, most } = memoryOf(builds[index].child.pid) ?? {};
      console.log(
        `${name}: ready after ${starts[index].join(', ')} ms; ${now} MiB behind the load, ${most} at most.`,
      );
    }
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
