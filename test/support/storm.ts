/**
 * The size of storms and of random searches, as a share of their full size: all of it in `npm run test:all`,
 * else a tenth, or what the race of a test needs. What is asserted is the same at any size.
 */
const SIZE = Number(process.env['STORM'] ?? 0.1);

/** So many clients, records, rounds or runs of `full` as the tier has; at least `least`. */
export const storm = (full: number, least = 1): number => Math.max(least, Math.ceil(full * SIZE));

/**
 * The seed of a random search: a fixed one, so that a change is judged by the same values as the one before,
 * and another one in each run at full size. A failure shows the values.
 */
export const seedOf = (fixed: number): number => (SIZE < 1 ? fixed : Math.floor(Math.random() * 2 ** 31));
