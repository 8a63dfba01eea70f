// Prints the table of all results.
import { table } from '../../bench/support/table.mjs';

const HEAD = ['promise', 'scenario', 'trials', 'acknowledged', 'unknown', 'worst s', 'took s', 'result'];

/** @returns the text of the table */
export function resultTable(results) {
  const rows = results.map(({ scenario, findings, seconds }) => [
    scenario.promise,
    scenario.name,
    findings.trials,
    findings.acknowledged,
    findings.unknown,
    findings.worst === undefined ? '-' : (findings.worst / 1_000).toFixed(2),
    seconds.toFixed(0),
    resultOf(findings),
  ]);
  return table(HEAD, rows);
}

function resultOf({ failures, notRun }) {
  if (failures.length > 0) return `FAILED: ${failures.length}`;
  return notRun === undefined ? 'passed' : `not run: ${notRun}`;
}

/** @returns { passed, failed, notRun } */
export function countResults(results) {
  const failed = results.filter(({ findings }) => findings.failures.length > 0).length;
  const notRun = results.filter(
    ({ findings: { failures, notRun: why } }) => failures.length === 0 && why,
  ).length;
  return { passed: results.length - failed - notRun, failed, notRun };
}
