/**
 * The size of storms and of random searches, as a share of their full size: a tenth in `npm test` and
 * `npm run test:faults`, all of it in `npm run test:all`. What is asserted is the same at any size.
 */
const SIZE = Number(process.env['STORM'] ?? 0.1);

/** So many clients, records, rounds or runs of `full` as the tier has; at least `least`. */
export const storm = (full: number, least = 1): number => Math.max(least, Math.ceil(full * SIZE));
