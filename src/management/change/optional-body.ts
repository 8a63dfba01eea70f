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

/** Reads a body that must say nothing, or an object without keys. */
export const emptyBody: BodyReading = (body, failures) => {
  if (body === undefined) return;
  if (!isPlainObject(body)) return failures.add(() => ({ message: 'The body must be a JSON object' }));
  for (const key of Object.keys(body).map(shownName)) {
    failures.add(() => ({ field: key, message: `Unknown key: ${key}` }));
  }
};
