// Runs the files of the service before the units, each slowest first. Units hold the clock, so that the shared service
// of a worker ends before the first of them.
const Sequencer = require('@jest/test-sequencer').default;

const isUnit = ({ context }) => context.config.displayName?.name === 'unit';

module.exports = class ServiceFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !isUnit(test)), ...sorted.filter(isUnit)];
  }
};
