import { invalid } from '../../errors/errors.js';

/** Most keys of one object of a request; an account has far fewer fields. */
const MOST_KEYS = 1_000;

/**
 * Every failing key is answered for, so their number is bounded before they are looked at.
 * @param name of the object, for the error; the body itself unless given
 * @throws 400
 */
export function requireFewKeys(object: object, name?: string): void {
  if (Object.keys(object).length <= MOST_KEYS) return;
  const message = `${name ?? 'The body'} must not have more than ${MOST_KEYS} keys`;
  throw invalid([name === undefined ? { message } : { field: name, message }]);
}
