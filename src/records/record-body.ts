import type { FieldError } from '../errors/domain-error.js';
import { invalid } from '../errors/errors.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { shownName } from '../text/shown-name.js';

/**
 * Takes `fields` out of a write body (clause 2.4); what it holds is validated against the account's fields later.
 * @throws 400 unless the body is an object with the one key `fields`.
 */
export function parseRecordBody(body: unknown): unknown {
  if (!isPlainObject(body))
    throw invalid([{ message: 'The body must be a JSON object with the key fields' }]);
  const errors: FieldError[] = Object.keys(body)
    .filter((key) => key !== 'fields')
    .map((key) => ({
      field: shownName(key),
      message: `Unknown key: ${shownName(key)} (allowed: fields)`,
    }));
  if (!Object.hasOwn(body, 'fields')) errors.push({ field: 'fields', message: 'fields is required' });
  if (errors.length > 0) throw invalid(errors);
  return body['fields'];
}
