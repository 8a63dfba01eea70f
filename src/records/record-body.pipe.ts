import { Injectable, type PipeTransform } from '@nestjs/common';
import type { FieldError } from '../errors/domain-error.js';
import { invalid } from '../errors/errors.js';
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
}
