// The bounds, and which of them a measured case exceeds.

/** Processor time, as a multiple of that of a plain GET, for each 16 KiB sent. */
const MOST_TIME = 20;

/** The same in a quick run, on machines that others use: their load moves the time of single requests. */
const MOST_TIME_QUICK = 2 * MOST_TIME;

/** MiB by which a case may move the memory of the process. */
const MOST_MEMORY = 64;

/** The median time of another account's requests, as a multiple of that before. */
const MOST_SLOWDOWN = 3;

/**
 * @param quick whether the run is a quick one
 * @returns the names of the bounds that a case exceeds
 */
export function exceeded({ multiple, memory, slowdown, answer }, quick) {
  return [
    ...(multiple > (quick ? MOST_TIME_QUICK : MOST_TIME) ? ['CPU'] : []),
    ...(memory > MOST_MEMORY ? ['memory'] : []),
    ...((slowdown?.multiple ?? 0) > MOST_SLOWDOWN ? ['p50'] : []),
    ...(isSound(answer) ? [] : ['status']),
  ];
}

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
