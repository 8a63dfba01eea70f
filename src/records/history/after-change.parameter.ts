import { NO_CURSOR } from '../../paging/index.js';
import { optionalText, ParameterError, type ParameterParser } from '../../http/index.js';
import { changeOfCursor, type ChangePlace } from './change-cursor.js';

/** `after` of a history: the `next` of another page. Undefined where it is absent. */
export const afterChange: ParameterParser<ChangePlace | undefined> = (raw, name, query) => {
  const cursor = optionalText(raw, name, query);
  if (cursor === undefined) return undefined;
  const place = changeOfCursor(cursor);
  if (place === undefined) throw new ParameterError(`${name} ${NO_CURSOR}`);
  return place;
};
