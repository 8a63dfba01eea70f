import type { Type } from '@nestjs/common';
import { dtoBody } from '../../http/index.js';

type BodyReading = ReturnType<typeof dtoBody>;

/** Returns the reading of a body that may be left out, where it says nothing. */
export function optionalBody(dto: Type<object>): BodyReading {
  const read = dtoBody(dto);
  return (body, failures) => read(body === undefined ? {} : body, failures);
}
