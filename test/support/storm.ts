export { storm } from '../../src/testing/storm.js';
