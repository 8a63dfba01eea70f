import type english from './en/index';

type Translated<T> = { [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };

/** What every language has: the keys of the English words. */
export type Words = Translated<typeof english>;
