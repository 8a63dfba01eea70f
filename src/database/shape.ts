/** Returns whether a value from a file is what it must be. */
export type Shape = (value: unknown) => boolean;

export const isText: Shape = (value) => typeof value === 'string' && !value.includes('\0');

/** A text that matches. */
export const matching =
  (pattern: RegExp): Shape =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

/** A whole number that is not negative. */
export const isCount: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

export const isFlag: Shape = (value) => typeof value === 'boolean';

export const nullOr =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);

export const objectOf =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    wrongKey(value, shapes) === undefined;

/** Returns the first of the keys whose value is not what it must be. Other keys may be there. */
export function wrongKey(value: unknown, shapes: Readonly<Record<string, Shape>>): string | undefined {
  const object = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return Object.keys(shapes).find((key) => shapes[key]?.(object[key]) !== true);
}

/** Parses JSON. @returns undefined where it is none */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
