import type { Type } from '@nestjs/common';
import { dtoBody } from '../../http/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { shownName } from '../../text/shown-name.js';

type BodyReading = ReturnType<typeof dtoBody>;

/** Returns the reading of a body that may be left out, where it says nothing. */
export function optionalBody(dto: Type<object>): BodyReading {
  const read = dtoBody(dto);
  return (body, failures) => read(body === undefined ? {} : body, failures);
}

/** Reads a body that may be left out, or be an object without keys. */
export const emptyBody: BodyReading = (body = {}, failures) => {
  if (!isPlainObject(body)) failures.add(() => ({ message: 'The body must be a JSON object' }));
  else {
    for (const key of Object.keys(body)) {
      const field = shownName(key);
      failures.add(() => ({ field, message: `Unknown key: ${field}` }));
    }
  }
};
