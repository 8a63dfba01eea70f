import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { Failures } from '../../errors/failures.js';
import { dtoBody } from '../query/request-parts.js';

/**
 * Validates a body against its DTO class and returns an instance of it. Nest's own pipe drops keys such as
 * `__proto__` and `constructor`; this one refuses every key that the DTO does not declare.
 * @throws 400 listing every failing field and every unknown key
 */
@Injectable()
export class ValidatedBodyPipe implements PipeTransform {
  transform(body: unknown, { metatype }: ArgumentMetadata): unknown {
    const failures = new Failures();
    const value = dtoBody(metatype as Type<object>)(body, failures);
    failures.throwIfAny();
    return value;
  }
}
