// A small generator of random numbers that gives the same ones for the same seed.

/** @returns functions that draw: a number below one, an integer below n, one of a list, whether to do it */
export function randomOf(seed) {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(fraction() * n);
  return {
    fraction,
    below,
    one: (list) => list[below(list.length)],
    chance: (probability) => fraction() < probability,
  };
}
