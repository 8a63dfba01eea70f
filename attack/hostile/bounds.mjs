// The bounds, and which of them a measured case exceeds.

/** Processor time, as a multiple of that of a plain GET, for each 16 KiB sent. */
export const MOST_TIME = 20;

/** MiB by which a case may move the memory of the process. */
export const MOST_MEMORY = 64;

/** The median time of another account's requests, as a multiple of that before. */
export const MOST_SLOWDOWN = 3;

/** @returns the names of the bounds that a case exceeds */
export function exceeded({ multiple, memory, slowdown, answer }) {
  return [
    ...(multiple > MOST_TIME ? ['CPU'] : []),
    ...(memory > MOST_MEMORY ? ['memory'] : []),
    ...((slowdown?.multiple ?? 0) > MOST_SLOWDOWN ? ['p50'] : []),
    ...(isSound(answer) ? [] : ['status']),
  ];
}

/** The bounds that count for the exit code: times are not asserted in a quick run, which CI has. */
export const asserted = (names, quick) => names.filter((name) => !quick || name !== 'p50');

/** Whether an answer is one that a client may get: no fault of the service, and an error object for a 4xx. */
export function isSound(answer) {
  // A crowd of sockets has no answer of its own.
  if (answer === undefined) return true;
  const { status, headers, body } = answer;
  if (status === 503) return headers['retry-after'] !== undefined;
  // A connection may be cut behind a body that is too large.
  if (status === 'cut') return true;
  if (status === 'late' || status >= 500) return false;
  return status < 400 || body.length === 0 || isErrorObject(body);
}

function isErrorObject(body) {
  try {
    const { message, error, request_id } = JSON.parse(body);
    return error === true && typeof message === 'string' && typeof request_id === 'string';
  } catch {
    return false;
  }
}
