/** The statements of a search take longer than they may. */
export class SearchTooLongError extends Error {
  /** @param lacksChanged whether the index of `last_modified_date` could have been used and is not ready */
  constructor(readonly lacksChanged: boolean) {
    super('The search takes too long');
    this.name = 'SearchTooLongError';
  }
}
