import { isId } from '../../database/index.js';
import { described, optionalText, ParameterError, text as textSchema } from '../../http/index.js';
import { CHANGED_KINDS } from '../change/planned-change.js';

/** The id of an object, or a kind of them, that is sent at most once. Undefined where it is absent. */
export const changedObject = described<string | undefined>(
  (raw, name, query) => {
    const text = optionalText(raw, name, query);
    if (text === undefined || isId(text) || CHANGED_KINDS.some((kind) => kind === text)) return text;
    throw new ParameterError(`${name} must be the id of an object, or one of ${CHANGED_KINDS.join(', ')}`);
  },
  {
    description: 'Those of an object, by its id, or of all objects of a kind, such as `user`',
    schema: textSchema('An id or a kind'),
  },
);
