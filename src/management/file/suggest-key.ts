import type { FieldError } from '../../errors/domain-error.js';
import { nearestName } from '../../text/nearest-name.js';

/** The message of a key that is not known, which lists those that are. */
const UNKNOWN_KEY = /^Unknown key: (.{1,60}) \(((?:allowed|known): ([\w, ]+))\)$/;

/** Returns a failure of a file with the key that was meant, where it is of one near to a known one. */
export function suggestKey(error: FieldError): FieldError {
  const [, key = '', list = '', names = ''] = UNKNOWN_KEY.exec(error.message) ?? [];
  const nearest = nearestName(key, names.split(', '));
  if (nearest === undefined) return error;
  return { ...error, message: `Unknown key: ${key} (did you mean ${nearest}? ${list})` };
}
