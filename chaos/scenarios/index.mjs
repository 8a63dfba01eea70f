// All scenarios, in the order in which they run.
import { selfTest } from './self-test.mjs';

/** Runs first, whatever was chosen. */
export const SELF_TEST = selfTest;

export const SCENARIOS = [];
