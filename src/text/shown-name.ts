const MAX_SHOWN_LENGTH = 100;
const UNSHOWABLE = /[\p{Control}\p{Surrogate}]/gu;

/**
 * A name sent by a client, as an error may repeat it: at most 100 characters, the rest replaced by an
 * ellipsis, and U+FFFD in place of control characters and unpaired surrogates. Names of fields come out
 * unchanged.
 */
export function shownName(name: string): string {
  const start = Array.from(name.slice(0, 2 * (MAX_SHOWN_LENGTH + 1)));
  const cut = start.length > MAX_SHOWN_LENGTH ? [...start.slice(0, MAX_SHOWN_LENGTH - 1), '…'] : start;
  return cut.join('').replace(UNSHOWABLE, '\uFFFD');
}
