import { Injectable, type PipeTransform } from '@nestjs/common';
import type { FieldError } from '../errors/domain-error.js';
import { invalid } from '../errors/errors.js';
import { Failures } from '../errors/failures.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { shownName } from '../text/shown-name.js';

/**
 * Checks the shape of the body of a write (clause 2.4) and returns the value of `fields`. The service
 * validates that value against the configuration of the account (ADR 9).
 */
@Injectable()
export class RecordBodyPipe implements PipeTransform<unknown, unknown> {
  /**
   * Returns the value of `fields` without a check of its type.
   * @throws 400 unless the body is an object with the one key `fields`, naming every other key
   */
  transform(body: unknown): unknown {
    if (!isPlainObject(body)) {
      throw invalid([{ message: 'The body must be a JSON object with the key fields' }]);
    }
    const failures = new Failures();
    for (const key of Object.keys(body)) {
      if (key !== 'fields') failures.add(() => unknownKey(key));
    }
    if (!Object.hasOwn(body, 'fields')) {
      failures.add(() => ({ field: 'fields', message: 'fields is required' }));
    }
    const error = failures.toError();
    if (error !== undefined) throw error;
    return body['fields'];
  }
}

function unknownKey(key: string): FieldError {
  const name = shownName(key);
  return { field: name, message: `Unknown key: ${name} (allowed: fields)` };
}
