// Fails a run in which the service has sent a statement that Citus would not send to one shard, and says which.
require('./compile.cjs');
const { isWhole } = require('./whole.cjs');

module.exports = class Statements {
  constructor(config) {
    this.isWhole = isWhole(config);
  }

  async onRunComplete(_contexts, { testResults, numFailedTests }) {
    const {
      FAIRLEAD_TEST_FOLDER: folder,
      FAIRLEAD_TEST_SERVER: server,
      FAIRLEAD_TEST_TEMPLATE,
    } = process.env;
    // A cluster refuses statements itself.
    if (folder === undefined || process.env.CITUS_URLS !== undefined) return;
    const url = new URL(server);
    url.pathname = `/${FAIRLEAD_TEST_TEMPLATE}`;
    const hasAll =
      numFailedTests === 0 && testResults.some(({ displayName }) => displayName?.name === 'service');
    const { judgeRun } = require('../support/statements/judge-run.ts');
    const started = performance.now();
    const { count, refused, problems } = await judgeRun(folder, url.href, this.isWhole && hasAll);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `\n${count} statements judged in ${seconds} s, ${refused} not of the schema: ${problems.length} problems`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) this.error = new Error('Statements do not reach one shard');
  }

  /** Jest fails the run for it. */
  getLastError() {
    return this.error;
  }
};
