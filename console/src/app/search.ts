/** Reads one search parameter; undefined where it is missing or no such value. */
export type Reader<T> = (value: string | undefined) => T | undefined;

export const text: Reader<string> = (value) => value || undefined;

export const flag: Reader<boolean> = (value) =>
  value === 'true' ? true : value === 'false' ? false : undefined;

export const count: Reader<number> = (value) =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;

export function oneOf<const T extends string>(...words: readonly T[]): Reader<T> {
  return (value) => words.find((word) => word === value);
}

type Values<R> = { [K in keyof R]?: R[K] extends Reader<infer T> ? T | undefined : never };

/** The search parameters of a page, from their readers. What is unknown or wrong is left out. */
export function searchOf<R extends Record<string, Reader<unknown>>>(readers: R) {
  return (search: Record<string, unknown>): Values<R> =>
    Object.fromEntries(
      Object.entries(readers).map(([key, read]) => {
        const raw = search[key];
        const value = read(
          raw === undefined || raw === null ? undefined : `${raw as string | number | boolean}`,
        );
        // Named, though it is undefined: what is not would stay as it came.
        return [key, value];
      }),
    ) as Values<R>;
}

/** Addresses that people can read: `?reason=round_robin&assigned=true`. */
export const searchCodec = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Record<string, unknown>) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const parameters = new URLSearchParams(entries.map(([key, value]) => [key, String(value)]));
    return parameters.size === 0 ? '' : `?${parameters.toString()}`;
  },
};
