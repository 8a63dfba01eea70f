import { isPlainDecimal, type FieldCatalog, type ObjectType } from '../../fields/index.js';
import type { RouterDto } from '../../routers/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';

/**
 * Returns settings in which the values of conditions are of the kind that their fields have. YAML has texts
 * that are numbers to it and not to requests (`1e6`, `0x1F`), and numbers and booleans that name options.
 */
export function asFieldsHave<T>(settings: T, typeOf: (field: string) => string | undefined): T {
  const read = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(read);
    if (!isPlainObject(part)) return part;
    const convert = typeof part['field'] === 'string' ? CONVERTERS[typeOf(part['field']) ?? ''] : undefined;
    const entries = Object.entries(part).map(([key, value]): [string, unknown] => {
      if (key !== 'value' || convert === undefined) return [key, read(value)];
      return [key, Array.isArray(value) ? value.map(convert) : convert(value)];
    });
    return Object.fromEntries(entries);
  };
  return read(settings) as T;
}

const CONVERTERS: Readonly<Record<string, ((value: unknown) => unknown) | undefined>> = {
  number: (value) => {
    // A plain decimal keeps its digits.
    if (typeof value !== 'string' || value.trim() === '' || isPlainDecimal(value)) return value;
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  },
  enumeration: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
};

/** Returns a router of a file with such settings, where its type is known. */
export function withValuesOf(
  { settings, ...dto }: RouterDto,
  objectType: ObjectType | undefined,
  catalog: FieldCatalog,
): RouterDto {
  if (settings == null || objectType === undefined) return { ...dto, ...(settings === null && { settings }) };
  const typeOf = (field: string): string | undefined => catalog.get(objectType, field)?.type;
  return { ...dto, settings: asFieldsHave(settings, typeOf) };
}
