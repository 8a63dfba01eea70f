// What became of a request, as far as its client can know.

/**
 * @param answer { status, headers, body } or { error }, the code of a socket's error or `TIMEOUT`
 * @returns `acknowledged`; `refused` where nothing may have happened; `unknown`
 */
export function outcomeOf({ error, status, headers, body }) {
  if (error !== undefined) return error === 'ECONNREFUSED' ? 'refused' : 'unknown';
  if (status < 300) return 'acknowledged';
  if (status < 500) return 'refused';
  return saysTryAgain({ status, headers, body }) ? 'refused' : 'unknown';
}

/** Returns whether an answer promises that nothing happened, and asks to try again. */
export function saysTryAgain({ status, headers, body }) {
  return status === 503 && headers?.['retry-after'] !== undefined && body?.code !== 'outcome_unknown';
}

/** Returns whether a request with an Idempotency-Key has to be sent again until its outcome is known. */
export function isOpen(answer) {
  return outcomeOf(answer) === 'unknown' || answer.body?.code === 'idempotency_in_progress';
}

/** What became of one object of a batch that was answered. An item has no headers. */
export function outcomeOfItem({ status, code }) {
  if (status < 300) return 'acknowledged';
  if (status < 500) return 'refused';
  return status === 503 && code !== 'outcome_unknown' ? 'refused' : 'unknown';
}
