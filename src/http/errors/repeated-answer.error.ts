/** The answer of an earlier request is an error, and is given again as it was. */
export class RepeatedAnswerError extends Error {
  /** @param body as the error filter sends it */
  constructor(
    readonly status: number,
    readonly body: object,
  ) {
    super(`The first request was answered ${status}`);
  }
}
