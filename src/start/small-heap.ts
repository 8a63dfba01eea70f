import { setFlagsFromString } from 'node:v8';

/**
 * Percent by which the heap grows after a collection before the next one. V8's own value is several hundred:
 * under load, three quarters of the heap were garbage (ADR 7).
 */
const GROWTH = 50;

setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
