/** A jest reporter that ends the run at the first test that fails; `--bail` waits for the end of the file. */
module.exports = class FirstFailure {
  onTestCaseResult(_test, { status }) {
    if (status === 'failed') process.exit(1);
  }
};
