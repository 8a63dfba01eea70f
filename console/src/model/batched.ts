/** How many keys are read at once: an address has room for so many e-mails. */
export const AT_ONCE = 50;

/**
 * Returns a reading of one thing by its key. What is asked for in one moment is read together.
 * @param read the things with some keys, without those that are not there
 */
export function batched<T>(read: (keys: string[]) => Promise<(readonly [key: string, thing: T])[]>) {
  let next: { keys: Set<string>; found: Promise<Map<string, T>> } | undefined;
  const readAll = async (keys: string[]) => {
    const parts = Array.from({ length: Math.ceil(keys.length / AT_ONCE) }, (_, n) =>
      read(keys.slice(n * AT_ONCE, (n + 1) * AT_ONCE)),
    );
    return new Map((await Promise.all(parts)).flat());
  };
  return async (key: string): Promise<T | null> => {
    if (next === undefined) {
      const keys = new Set<string>();
      const moment = new Promise((resolve) => setTimeout(resolve));
      const found = moment.then(() => {
        next = undefined;
        return readAll([...keys]);
      });
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key) ?? null;
  };
}
