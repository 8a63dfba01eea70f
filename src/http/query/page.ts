/** The part of a list that a request asks for. */
export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** The part of a list that can contain archived rows. */
export interface PageRequest extends PageRange {
  readonly archived: boolean;
}

/** The envelope of every list (contract section 3). `count` is the number of all matching rows. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly count: number };
}

/** The envelope of a list whose pages can be followed. */
export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly pagination: Page<T>['pagination'] & {
    /** `after` of a request for the page behind this one; null on the last page. */
    readonly next: string | null;
  };
}

/** Wraps rows in the envelope. @param count number of all matching rows, before limit and offset */
export function page<T>(data: readonly T[], { limit, offset }: PageRange, count: number): Page<T> {
  return { data, pagination: { limit, offset, count } };
}
