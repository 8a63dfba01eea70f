export { seedOf, storm } from '../../src/testing/storm.js';
