import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { invalid } from '../../errors/errors.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { validateDto } from '../../validation/validate-dto.js';

/**
 * Validates a body against its DTO class and returns an instance of it. Nest's own pipe drops keys such as
 * `__proto__` and `constructor`; this one refuses every key that the DTO does not declare.
 * @throws 400 listing every failing field and every unknown key
 */
@Injectable()
export class ValidatedBodyPipe implements PipeTransform {
  transform(body: unknown, { metatype }: ArgumentMetadata): unknown {
    if (!isPlainObject(body)) throw invalid([{ message: 'The body must be a JSON object' }]);
    const result = validateDto(metatype as Type<object>, body);
    if (!result.ok) throw invalid(result.errors);
    return result.value;
  }
}
