// Prints, for each project of a run, its cases, the seconds of its files together, and the ten slowest files; and how
// much more that is than .ci/tests.json says, where all files of the project have run.
const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { isWhole } = require('./whole.cjs');

const ROOT = join(__dirname, '..', '..');
const SHOWN = 10;

const known = () => JSON.parse(readFileSync(join(ROOT, '.ci', 'tests.json'), 'utf8'));
const projectOf = ({ displayName }) => displayName?.name;
const secondsOf = ({ perfStats }) => (perfStats.end - perfStats.start) / 1000;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const signed = (number) => `${number < 0 ? '-' : '+'}${Math.abs(number)}`;

module.exports = class Slowest {
  constructor(config) {
    this.isWhole = isWhole(config);
  }

  onRunComplete(_contexts, { testResults }) {
    for (const project of new Set(testResults.map(projectOf))) {
      const files = testResults.filter((result) => projectOf(result) === project);
      const cases = sum(files.map(({ testResults: results }) => results.length));
      const seconds = Math.round(sum(files.map(secondsOf)));
      const before = this.isWhole ? known()[project] : undefined;
      const change =
        before === undefined
          ? ''
          : ` (${signed(cases - before.cases)} cases, ${signed(seconds - before.seconds)} s since .ci/tests.json)`;
      console.log(`\n${project}: ${cases} cases in ${files.length} files, ${seconds} s${change}. Slowest:`);
      const slowest = files.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, SHOWN);
      for (const file of slowest)
        console.log(`  ${secondsOf(file).toFixed(1)} s  ${relative(ROOT, file.testFilePath)}`);
    }
  }
};
