import { isPlainObject } from '../../text/is-plain-object.js';

/**
 * Returns settings in which conditions on fields of numbers have numbers in place of texts that YAML reads as
 * such and requests do not: `1e6`, `.5`, `0x1F`. The reader of the file does not know fields.
 */
export function withNumbers<T>(settings: T, isNumber: (field: string) => boolean): T {
  const read = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(read);
    if (!isPlainObject(part)) return part;
    const { field } = part;
    const isOfNumbers = typeof field === 'string' && isNumber(field);
    const entries = Object.entries(part).map(([key, value]): [string, unknown] => [
      key,
      isOfNumbers && key === 'value' ? numbersIn(value) : read(value),
    ]);
    return Object.fromEntries(entries);
  };
  return read(settings) as T;
}

function numbersIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbersIn);
  // A plain decimal keeps its digits.
  if (typeof value !== 'string' || value.trim() === '' || /^[+-]?\d+(?:\.\d+)?$/.test(value)) return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}
