import { cursorBehind } from './cursor.js';

/** The part of a list that a request asks for. */
export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** The part of a list that can contain archived rows. */
export interface PageRequest extends PageRange {
  readonly archived: boolean;
}

/** The envelope of every list (contract sections 3 and 7). */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly limit: number;
    readonly offset: number;
    /** The number of all matching rows, before limit and offset. */
    readonly count: number;
    /** `after` of a request for the page behind this one; null on the last page. Only lists that take it. */
    readonly next?: string | null;
  };
}

/** The envelope of what a search finds (contract section 7). */
export interface SearchPage<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly limit: number;
    /** `after` of a request for the page behind this one; null on the last page. */
    readonly next: string | null;
    /** The number of all matching rows; only where it was asked for. */
    readonly count?: number | undefined;
  };
}

/** The most rows of a page (clause 4.2). */
export const PAGE_ROWS = 100;

/** The most bytes of an answer (contract section 3), without those of its envelope. */
export const PAGE_BYTES = 10 * 1024 * 1024 - 1024;

/** Wraps rows in the envelope. @param count number of all matching rows, before limit and offset */
export function page<T>(data: readonly T[], { limit, offset }: PageRange, count: number): Page<T> {
  return { data, pagination: { limit, offset, count } };
}

/** Wraps rows in the envelope of a list that takes `after`. */
export function cursorPage<T>(
  data: readonly T[],
  { limit, offset }: PageRange,
  { count, next }: { readonly count: number; readonly next: string | null },
): Page<T> {
  return { data, pagination: { limit, offset, count, next } };
}

/**
 * Returns the first of the rows, as many as have PAGE_BYTES together, but one at least.
 * @param bytesOf a row in the answer; its JSON unless given
 */
export function fittingRows<T>(rows: Iterable<T>, bytesOf: (row: T) => number = jsonBytes): T[] {
  const fitting: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += bytesOf(row);
    if (bytes > PAGE_BYTES && fitting.length > 0) break;
    fitting.push(row);
  }
  return fitting;
}

function jsonBytes(row: unknown): number {
  return Buffer.byteLength(JSON.stringify(row)) + 1;
}

/**
 * Wraps the views of the rows of a page that was read in the order of their ids. The page ends early where it
 * would exceed PAGE_BYTES.
 * @param views made one by one, as many as fit
 */
export function rowPage<T extends { readonly id: string }>(
  views: Iterable<T>,
  range: PageRange,
  {
    rows,
    count,
    more,
  }: { readonly rows: { readonly length: number }; readonly count: number; readonly more: boolean },
): Page<T> {
  const data = fittingRows(views);
  const last = data.at(-1);
  const isLast = last === undefined || (data.length === rows.length && !more);
  return cursorPage(data, range, { count, next: isLast ? null : cursorBehind(last.id) });
}
