const MAX_SHOWN_LENGTH = 100;
/** Half of a character at the end of a text that was cut. */
const UNPAIRED = /[\uD800-\uDBFF]$/;

const UNSHOWABLE = /[\p{Control}\p{Surrogate}]/gu;

/**
 * Returns a name that a client has sent in the form in which an error repeats it: at most 100 characters,
 * with an ellipsis where it is cut, and U+FFFD for control characters and unpaired surrogates. Names of
 * fields do not change.
 */
export function shownName(name: string): string {
  const start = Array.from(name.slice(0, 2 * (MAX_SHOWN_LENGTH + 1)));
  const cut = start.length > MAX_SHOWN_LENGTH ? [...start.slice(0, MAX_SHOWN_LENGTH - 1), '…'] : start;
  return cut.join('').replace(UNSHOWABLE, '\uFFFD');
}

const MAX_SHOWN_PATH = 200;

/** Returns a path of shown names as an error repeats it: at most 200 characters, cut with an ellipsis. */
export function shownPath(path: string): string {
  return path.length <= MAX_SHOWN_PATH ? path : `${path.slice(0, MAX_SHOWN_PATH - 1).replace(UNPAIRED, '')}…`;
}
