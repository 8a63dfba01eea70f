/** A search takes longer than searches may. */
export class SearchTooLongError extends Error {}
