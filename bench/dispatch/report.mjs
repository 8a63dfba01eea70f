// Prints the rates of a dispatch benchmark, and their ratios.
import { median } from '../support/load.mjs';

/** @param rates by `processes|clients|scenario`, and `commits` */
export function report(rates, { rounds, seconds, processCounts, clientCounts, builds }) {
  const commits = median(rates.get('commits'));
  console.log(
    `single commits of one connection: ${commits.toFixed(0)}/s (median of ${rounds} rounds of ${seconds} s)`,
  );
  for (const processes of processCounts) {
    for (const clients of clientCounts) {
      console.log(`\n${processes} process(es), ${clients} client(s)`);
      for (const [key, values] of rates) {
        const [p, c, name] = key.split('|');
        if (Number(p) !== processes || Number(c) !== clients) continue;
        const build = builds.findLast((each) => name.startsWith(each));
        // Each round has its own POST, so that what else the machine does affects both.
        const posts = rates.get(`${processes}|${clients}|${build}POST /contacts`);
        const ratio = median(values.map((value, round) => value / posts[round]));
        const rate = median(values);
        const spread = `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
        console.log(
          `  ${name.padEnd(34)} ${rate.toFixed(0).padStart(6)}/s  ${spread.padStart(13)}  x${ratio.toFixed(2)} of POST  x${(rate / commits).toFixed(2)} of commits`,
        );
      }
    }
  }
}
