/** Which rows of a list are wanted. */
export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** Which rows of a list that has archived ones. */
export interface PageRequest extends PageRange {
  readonly archived: boolean;
}

/**
 * The envelope of every list (contract section 3). `count` is all rows that match, before limit and offset.
 */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly count: number };
}

/** Wraps the rows of a page. */
export function page<T>(data: readonly T[], { limit, offset }: PageRange, count: number): Page<T> {
  return { data, pagination: { limit, offset, count } };
}
