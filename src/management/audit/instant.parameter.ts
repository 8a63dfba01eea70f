import { parseInstant } from '../../time/parse-instant.js';
import { optionalText, ParameterError, type ParameterParser } from '../../http/index.js';

/** An instant that is sent at most once. Undefined where it is absent. */
export const instant: ParameterParser<Date | undefined> = (raw, name, query) => {
  const text = optionalText(raw, name, query);
  if (text === undefined) return undefined;
  const milliseconds = parseInstant(text);
  if (milliseconds === undefined) throw new ParameterError(`${name} must be an ISO 8601 date and time`);
  return new Date(milliseconds);
};
