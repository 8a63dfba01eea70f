// Every test, with storms and random searches at their full size: for a nightly run, and before a release.
process.env.STORM = '1';

module.exports = require('./jest.config.cjs');
