// Runs the files of the service before the units, each slowest first. The shared service of a worker works in the
// background, and a fake clock of a unit test would take its timers away for good.
const Sequencer = require('@jest/test-sequencer').default;

const isUnit = ({ context }) => context.config.displayName?.name === 'unit';

module.exports = class ServiceFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !isUnit(test)), ...sorted.filter(isUnit)];
  }
};
