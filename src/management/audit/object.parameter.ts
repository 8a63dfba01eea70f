import { isId } from '../../database/index.js';
import { optionalText, ParameterError, type ParameterParser } from '../../http/index.js';
import { CHANGED_KINDS } from '../change/planned-change.js';

/** The id of an object, or a kind of them, that is sent at most once. Undefined where it is absent. */
export const changedObject: ParameterParser<string | undefined> = (raw, name, query) => {
  const text = optionalText(raw, name, query);
  if (text === undefined || isId(text) || CHANGED_KINDS.some((kind) => kind === text)) return text;
  throw new ParameterError(`${name} must be the id of an object, or one of ${CHANGED_KINDS.join(', ')}`);
};
